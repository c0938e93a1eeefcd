"""Images at other places: splines, affine transforms, zoom."""
