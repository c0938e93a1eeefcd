/* _kinds.h: what numbers are combined by. */

enum kind { KIND_SUM, KIND_PRODUCT, KIND_MAXIMUM, KIND_MINIMUM };
