"""matplotlib's calls with device arrays: an error that says what to write."""

import re

import numpy as np
import pytest

import cupric as cp

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402, after the backend is chosen


class Data:
    """What is drawn: `h…` of the host, the others of the device."""

    hx = np.linspace(0, 1, 8)
    hgrid = np.outer(hx, hx)
    hX, hY = np.meshgrid(hx, hx)
    hwide = np.linspace(0, 1, 1000)

    def __init__(self):
        for name in ("x", "grid", "X", "Y", "wide"):
            setattr(self, name, cp.asarray(getattr(type(self), "h" + name)))
        self.y = cp.sin(self.x)


# Each line is one call, on axes `a`, with the data by their names.
FLAT = """
a.plot(x)
a.plot(x, y)
a.plot(hx, y)
a.plot(grid)
a.plot([x, y])
a.plot([x[0], x[1]])
a.plot(list(x))
a.plot(x[0])
a.plot(x > 0.5)
a.plot(x.astype("e"))
a.plot(x + 1j)
a.plot(x[:0])
a.plot("k", data={"k": x})
a.plot(hx, hx * x)
a.semilogx(x, y)
a.semilogy(x, y)
a.loglog(x, y)
a.step(x, y)
a.stem(x)
a.stem(x, y)
a.stairs(x)
a.scatter(x, y)
a.scatter(x[0], y[0])
a.scatter(hx, hx, c=x)
a.scatter(hx, hx, s=x)
a.fill(x, y)
a.fill_between(x, y)
a.fill_between(hx, y)
a.fill_between(hx, hx, y)
a.fill_between(hx, hx, where=x > 0.5)
a.fill_betweenx(x, y)
a.stackplot(x, y)
a.stackplot(hx, y)
a.bar(x, y)
a.bar(hx, y)
a.bar(x, hx)
a.bar(hx, hx, y)
a.bar(hx, hx, bottom=y)
a.bar(hx, hx, yerr=y)
a.bar(list("abcdefgh"), x)
a.barh(x, y)
a.barh(hx, y)
a.broken_barh(grid[:, :2], (0, 1))
a.errorbar(x, y)
a.errorbar(hx, y, yerr=0.1)
a.errorbar(hx, hx, yerr=y)
a.errorbar(hx, hx, xerr=y)
a.hist(x)
a.hist([x, y])
a.hist(x > 0.5)
a.hist(hx, bins=x)
a.hist(hx, weights=x)
a.hist2d(x, y)
a.hexbin(x, y)
a.hexbin(hx, hx, C=x)
a.ecdf(x)
a.boxplot(x)
a.boxplot([x, y])
a.violinplot(x)
a.violinplot([x, y])
a.pie(x)
a.eventplot(x)
a.eventplot([x, y])
a.hlines(x, 0, 1)
a.vlines(x, 0, 1)
a.imshow(grid)
a.imshow(cp.zeros((4, 4, 3), "u1"))
a.imshow(hgrid, alpha=grid)
a.imshow(hgrid).set_data(grid)
a.matshow(grid)
a.spy(grid)
a.figure.figimage(grid)
a.contour(grid)
a.contour(X, Y, grid)
a.contour(hX, hY, grid)
a.contour(x, x, hgrid)
a.contour(hgrid, levels=x)
a.contourf(X, Y, grid)
a.pcolor(grid)
a.pcolor(X, Y, grid)
a.pcolormesh(grid)
a.pcolormesh(X, Y, grid)
a.pcolormesh(X, Y, hgrid)
a.pcolormesh(hX, hY, grid)
a.pcolormesh(hgrid).set_array(grid)
a.pcolorfast(grid)
a.quiver(grid, grid)
a.quiver(x, y, x, y)
a.quiver(hx, hx, x, y)
a.quiver(hx, hx, hx, hx, x)
a.quiver(hx, hx, hx, hx).set_UVC(x, y)
a.barbs(x, y, x, y)
a.streamplot(x, x, grid, grid)
a.streamplot(hx, hx, grid, grid)
a.tripcolor(x, x * x, y)
a.triplot(x, x * x)
a.tricontour(x, x * x, y)
a.tricontourf(x, x * x, y)
a.acorr(x)
a.xcorr(x, y)
a.psd(wide)
a.csd(wide, wide)
a.cohere(wide, wide)
a.specgram(wide)
a.magnitude_spectrum(x)
a.angle_spectrum(x)
a.phase_spectrum(x)
a.set_xticks(x)
a.plot(hx)[0].set_data(x, y)
a.plot(hx)[0].set_ydata(y)
a.scatter(hx, hx).set_offsets(grid[:, :2])
"""

SOLID = """
a.plot(x, y, x)
a.plot(hx, hx, x)
a.scatter(x, y, x)
a.scatter(hx, hx, x)
a.stem(x, y, x)
a.plot_surface(X, Y, grid)
a.plot_surface(hX, hY, grid)
a.plot_wireframe(X, Y, grid)
a.plot_wireframe(hX, hY, grid)
a.plot_trisurf(x, x * x, y)
a.contour(X, Y, grid)
a.bar3d(x, y, x, x, x, x)
a.quiver(x, y, x, x, y, x)
"""

CALLS = [(call, None) for call in FLAT.split("\n")[1:-1]]
CALLS += [(call, "3d") for call in SOLID.split("\n")[1:-1]]


@pytest.fixture
def names():
    data = Data()
    yield {n: getattr(data, n) for n in dir(data) if not n.startswith("_")} | {"cp": cp}
    pyplot.close("all")


@pytest.mark.parametrize(("call", "projection"), CALLS, ids=[c for c, _ in CALLS])
def test_error_says_get(names, call, projection):
    """At the call, or where matplotlib only keeps its argument, at the drawing."""
    axes = pyplot.figure(figsize=(1, 1)).add_subplot(projection=projection)
    with pytest.raises(TypeError, match=r"\.get\(\)"):
        exec(call, names | {"a": axes})
        axes.figure.canvas.draw()


def test_what_the_error_says_works(names):
    """The first ten kinds of call again, with `.get()`."""
    _figure, axes = pyplot.subplots(2, 5, figsize=(5, 2))
    x, y, grid = (names[n].get() for n in ("x", "y", "grid"))
    for a, draw in zip(
        axes.flat,
        [
            lambda a: a.plot(x, y),
            lambda a: a.scatter(x, y),
            lambda a: a.imshow(grid),
            lambda a: a.hist(x),
            lambda a: a.bar(x, y),
            lambda a: a.errorbar(x, y, yerr=y),
            lambda a: a.fill_between(x, y),
            lambda a: a.contour(grid),
            lambda a: a.pcolormesh(grid),
            lambda a: a.quiver(grid, grid),
        ],
        strict=True,
    ):
        draw(a)
        assert a.has_data()
    _figure.canvas.draw()


def test_single_elements_are_numbers(names):
    """Limits and places are converted by float(), which fetches an element."""
    a = pyplot.figure().add_subplot()
    x = names["x"]
    a.set_xlim(x[0], x[-1])
    assert a.get_xlim() == (0, 1)
    assert a.text(x[1], x[2], "t").get_position() == (float(x[1]), float(x[2]))
    assert a.imshow(names["hgrid"], vmin=x[1]).get_clim()[0] == float(x[1])


def test_mixed_operands_say_what_to_write():
    """As matplotlib adds NumPy's arrays to what it was given."""
    a, x = np.ones(3), cp.ones(3)
    for mix in (lambda: a + x, lambda: x + a, lambda: a @ x):
        with pytest.raises(TypeError) as info:
            mix()
        assert re.fullmatch(
            r"Unsupported type <class 'numpy.ndarray'>: a NumPy array is on the host\. "
            r"Please use `cupric\.asarray\(a\)` .*, or `x\.get\(\)` .*\.",
            str(info.value),
        )
    with pytest.raises(TypeError, match=r"^Unsupported type <class 'list'>: .*asarray"):
        cp.add(x, [1])
