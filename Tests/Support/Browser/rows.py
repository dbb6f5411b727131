"""Rows of the grid with panoramas, narrow photos and months with one photo, and the dates above them, at all widths."""
import os
from pictures import png
from portal import SERVER, Browser, photolala

os.chdir(os.environ["HOME"])
DAY, MARCH = 86400, 1710072000

bob = Browser()
bob.go("/create-account").press("Create account with Apple").press("bob").is_at("/library")
shapes = {"l": (64, 48), "p": (48, 64), "s": (48, 48), "w": (64, 36), "n": (27, 48), "q": (192, 48), "o": (384, 48)}
for number, shape in enumerate("lnqpsnolpnlqnpslwpln"):
    png(f"camera/sparse/{number:02}{shape}.png", (90, number * 12, 160), *shapes[shape], date=MARCH + (90 + 31 * number) * DAY)
for month in range(2):
    for number, shape in enumerate("pqlopnswoqqlpsnlpwlospplqpwnsl"):
        png(f"camera/mixed/{month}{number:02}{shape}.png", (number * 8, 150, 60 + month), *shapes[shape],
            date=MARCH - (90 * month + 1) * DAY - number * DAY // 4)
photolala("signin", "--server", SERVER, "--provider", "apple", "--dev-user", "bob")
photolala("backup", "camera")
# The rows of each part of the page that has rows of its own, with the distances from the edges.
FLOWS = """const timeline = document.querySelector("#timeline"), page = timeline.getBoundingClientRect()
    return [...document.querySelectorAll("#timeline > section > .grid, .short")].filter(each => each.querySelector("li")).map(flow => {
        const rows = []
        for (const link of flow.querySelectorAll("li a")) {
            const { left, right, bottom, height, width } = link.getBoundingClientRect(), row = rows.at(-1)
            if (!row || Math.abs(row.bottom - bottom) > 1) rows.push({ bottom, height, width, start: left - page.left, count: 0 })
            Object.assign(rows.at(-1), { end: page.right - right, count: rows.at(-1).count + 1, height,
                ratio: Number(link.closest("li").dataset.ratio) })
        }
        return { ends: flow.ends ?? flow.matches(".ends, section > .grid:last-child"), rows } })"""
# What is to be read of the dates, the room that is left beside them, and the distance of a date from its tick.
DATES = """const pen = document.createElement("canvas").getContext("2d")
    return [...document.querySelectorAll(".grid h3")].map(each => {
        const [text, isBrief] = [each.querySelector("span"), each.matches(".brief")]
        const [button, shown] = [each.querySelector(".tick"), isBrief ? each.dataset.short : text.textContent]
        const tick = button?.checkVisibility() ? button.getBoundingClientRect() : null
        pen.font = getComputedStyle(each).font
        const left = each.getBoundingClientRect().left, end = left + pen.measureText(shown).width
        return [shown, each.getBoundingClientRect().right - (tick?.right ?? end), tick ? tick.left - end : null] })"""
GAPS = """return [...document.querySelectorAll("#timeline > section")].map(each =>
    each.querySelector(".first a").getBoundingClientRect().top - each.querySelector("h2").getBoundingClientRect().bottom)"""


def wide(pixels):
    bob.touch(pixels < 1024).driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": pixels, "height": 1000, "deviceScaleFactor": 1, "mobile": False})


def check_rows(pixels, lowest, highest):
    """Returns the parts with rows, and the usual height of a row, of which the heights are to be between two parts."""
    row = bob.script("return parseFloat(getComputedStyle(document.querySelector('#timeline')).minBlockSize)")
    flows = bob.script(FLOWS)
    assert len(flows) == 3, flows
    for flow in flows:
        for number, each in enumerate(flow["rows"]):
            place, isLast = (pixels, number, each, row), flow["ends"] and number == len(flow["rows"]) - 1
            assert abs(each["start"]) < 5.5 and -1 < each["end"] and (isLast or each["end"] < 1), place
            assert lowest * row <= each["height"] <= highest * row, place
    return flows, row


# Each row but the last of a part ends at the edge, and most have about the usual height. A panorama may have its own.
for pixels in (360, 390, 768, 1280, 1920):
    wide(pixels)
    bob.go("/library").pictures()
    assert bob.moved() < 0.01, bob.moved()
    flows, row = check_rows(pixels, 0.55, 2)
    panoramas = [each for flow in flows for each in flow["rows"] if each["count"] == 1 and each["ratio"] > 3.9]
    assert panoramas and all(each["height"] <= 1.51 * row for each in panoramas), (pixels, panoramas)
    heights = [each["height"] / row for flow in flows for each in flow["rows"] if each not in panoramas]
    assert sorted(heights)[len(heights) // 2] > 0.8 and sum(0.65 < each < 1.6 for each in heights) > 0.85 * len(heights), heights
    # A date is never a bare number, has room with its tick beside it, and stays as it is during a selection.
    before = bob.script(DATES)
    if pixels < 1024:
        bob.named("Select").click()
    bob.choose(0)
    chosen = bob.script(DATES)
    assert [text for text, *_ in chosen] == [text for text, *_ in before], (before, chosen)
    assert all(room > -1 and not text.isdigit() for text, room, _ in chosen), (pixels, chosen)
    gaps = [gap for *_, gap in chosen if gap is not None]
    assert gaps and all(2 <= gap <= 6 for gap in gaps), chosen
    if pixels == 1280:
        icons = bob.script("return [...document.querySelectorAll('.bar button:not([hidden]) .icon')].map(each => each.getBoundingClientRect().top)")
        assert len(icons) > 4 and max(icons) - min(icons) < 1, icons
    bob.named("Clear selection").click()
# The date of a month's first day has the year, also where it is shortened.
wide(390)
bob.go("/library").pictures()
short = bob.script("return [...document.querySelectorAll('.short .brief')].map(each => each.dataset.short)")
assert short and all("202" in text for text in short), short
# Month and date have the same distance everywhere.
gaps = bob.script(GAPS)
assert len(gaps) == 2 and max(gaps) - min(gaps) < 1, gaps
# Without scripts photos are cropped for it.
for pixels in (390, 1280):
    wide(pixels)
    bob.script_is_off(True).go("/library")
    bob.until(lambda: bob.script("return getComputedStyle(document.querySelector('.grid')).visibility") == "visible")
    check_rows(pixels, 0.74, 1.61)
    bob.script_is_off(False)
bob.close()
print("DONE")
