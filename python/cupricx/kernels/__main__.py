"""``python -m cupricx.kernels build PACKAGE``: see docs/kernel_libraries.md."""

import sys

from cupric._lib.kernels._build import main

sys.exit(main(sys.argv[1:]))
