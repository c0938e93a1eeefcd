/* _keys.h: what values of a run are reduced by. */

enum runs_kind { RUNS_SUM, RUNS_PRODUCT, RUNS_MAXIMUM, RUNS_MINIMUM };
