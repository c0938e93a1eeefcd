/* _scan.h: what rows are scanned by. */

enum scan_kind { SCAN_SUM, SCAN_PRODUCT, SCAN_MAXIMUM, SCAN_MINIMUM };
