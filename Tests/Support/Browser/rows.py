"""Rows of the grid with panoramas, narrow photos and months with one photo, and the dates above them, at all widths."""
import os, re
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
# Panoramas with more pixels than thumbnails have, of which only one is large enough for a preview.
for number, size in enumerate([0, 1 << 20]):
    place = png(f"camera/mixed/wide{number}.png", (90, 30, 60 + number), 2600, 325)
    with open(place, "ab") as file:
        file.write(os.urandom(size))
    os.utime(place, (MARCH - 2 * DAY - number, MARCH - 2 * DAY - number))
photolala("signin", "--server", SERVER, "--provider", "apple", "--dev-user", "bob")
photolala("backup", "camera")
# The rows of each part of the page that has rows of its own, with the distances from the edges, and how far each photo is
# cropped.
FLOWS = """const timeline = document.querySelector("#timeline"), page = timeline.getBoundingClientRect()
    return [...document.querySelectorAll("#timeline > section > .grid, .short")].filter(each => each.querySelector("li")).map(flow => {
        const rows = []
        for (const link of flow.querySelectorAll("li a")) {
            const { left, right, bottom, height, width } = link.getBoundingClientRect(), row = rows.at(-1)
            const ratio = Number(link.closest("li").dataset.ratio)
            if (!row || Math.abs(row.bottom - bottom) > 1) {
                rows.push({ bottom, height, width, start: left - page.left, count: 0, ratio, crops: [] })
            }
            rows.at(-1).crops.push([ratio, Math.abs(Math.log(width / height / ratio))])
            Object.assign(rows.at(-1), { end: page.right - right, count: rows.at(-1).count + 1, height })
        }
        return { ends: flow.ends ?? flow.matches(".ends, section > .grid:last-child"), rows } })"""
# The dates of each row that has some, from its first photo on.
LABELS = """const rows = new Map()
    for (const item of document.querySelectorAll(".arranged li")) {
        const bottom = Math.round(item.getBoundingClientRect().bottom)
        if (!rows.has(bottom)) rows.set(bottom, [])
        const heading = item.querySelector("h3")
        const text = !heading ? item.dataset.again : heading.matches(".brief") ? heading.dataset.short : heading.textContent
        if (text !== undefined || rows.get(bottom).length === 0) rows.get(bottom).push(text ?? "")
    }
    return [...rows.values()].filter(row => row.some(Boolean))"""
# The title at the top, if it is whole, and the month of the topmost photo below it.
TITLE = """const done = arguments[0]
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => {
        for (const title of document.querySelectorAll("#timeline > section > h2, .month")) {
            const { top, bottom } = title.getBoundingClientRect()
            if (Math.abs(top - parseFloat(getComputedStyle(title).insetBlockStart)) > 0.5) continue
            const photo = [...document.querySelectorAll("#timeline li")].find(each => each.getBoundingClientRect().bottom > bottom + 1)
            return done([title.textContent, photo?.closest("section").querySelector("h2").textContent])
        }
        done(null)
    })))"""
# What is to be read of the dates, the room that is left beside them, and the distance of a date from its tick.
DATES = """const pen = document.createElement("canvas").getContext("2d")
    return [...document.querySelectorAll(".grid h3")].map(each => {
        const [text, isBrief] = [each.querySelector("span"), each.matches(".brief")]
        const [button, shown] = [each.querySelector(".tick"), isBrief ? each.dataset.short : text.textContent]
        const tick = button?.checkVisibility() ? button.getBoundingClientRect() : null
        pen.font = getComputedStyle(each).font
        const left = each.getBoundingClientRect().left, end = left + pen.measureText(shown).width
        return [shown, each.getBoundingClientRect().right - (tick?.right ?? end), tick ? tick.left - end : null] })"""
GAPS = """return [...document.querySelectorAll("#timeline > section, .run")].map(each =>
    Math.min(...[...each.querySelectorAll("li")].map(item => item.getBoundingClientRect().top))
        - each.querySelector("h2, .month").getBoundingClientRect().bottom)"""
# The signs of a photo that reach beyond its picture, and those that cover each other.
SIGNS = """return [...document.querySelectorAll(".grid li:has(.video, .favorite)")].flatMap(item => {
        const picture = item.querySelector("img").getBoundingClientRect()
        const signs = [...item.querySelectorAll(".video, .favorite, .archived")].filter(each => getComputedStyle(each).opacity !== "0")
        const rects = signs.map(each => each.getBoundingClientRect())
        const isOut = rects.some(({ left, right, bottom }) =>
            left < picture.left || right > picture.right || bottom > picture.bottom)
        const isCovered = rects.some((one, at) => rects.slice(at + 1).some(({ left, right }) => left < one.right && one.left < right))
        return isOut || isCovered || rects.length === 0 ? [item.outerHTML] : []
    })"""


def wide(pixels):
    bob.touch(pixels < 1024).driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": pixels, "height": 1000, "deviceScaleFactor": 1, "mobile": False})


def has_panorama(row):
    return any(ratio > 3 for ratio, _ in row["crops"])


def check_rows(pixels, lowest, highest, is_arranged=True):
    """Returns the parts with rows, and the usual height of a row, of which the heights are to be between two parts."""
    row = bob.script("return parseFloat(getComputedStyle(document.querySelector('#timeline')).minBlockSize)")
    flows = bob.script(FLOWS)
    assert len(flows) == 3, flows
    for flow in flows:
        for number, each in enumerate(flow["rows"]):
            place, isLast = (pixels, number, each, row), flow["ends"] and number == len(flow["rows"]) - 1
            following = None if isLast else flow["rows"][number + 1]
            assert abs(each["start"]) < 5.5 and -1 < each["end"], place
            # A panorama is whole, or 5:1 in a row of its own that would be too low. It fills such a row, unless that would be
            # much higher than others.
            if has_panorama(each):
                shown, limit = each["width"] / each["height"], 1.45 if is_arranged else 1.25
                isOwn = each["count"] == 1 and min(5, each["ratio"]) - 0.1 < shown < each["ratio"] + 0.1
                assert isOwn or is_arranged and all(crop < 0.02 for ratio, crop in each["crops"] if ratio > 3), place
                assert each["end"] < 1 or isLast or isOwn and abs(each["height"] - limit * row) < 1, place
                assert (0.45 * row if is_arranged else 0) <= each["height"] <= (limit + 0.001) * row, place
            else:
                assert isLast or has_panorama(following) or each["end"] < 1, place
                assert lowest * row <= each["height"] <= highest * row, place
            if not is_arranged:
                continue
            # Upright photos are whole, except for very narrow ones below their dates; others nearly.
            for ratio, crop in each["crops"]:
                limit = 0.3 if has_panorama(each) else 0.15
                assert ratio > 3 or crop < (limit if ratio < 0.6 else 0.02 if ratio < 1 else 0.065), (place, ratio, crop)
    return flows, row


def check_dates(pixels):
    """All dates of a row have one form, and none is empty or reads as that of a month."""
    patterns = [r"\w{3} \d+", r"\w{3} \d+, \d{4}", r"\w{3}, \w{3} \d+"]
    rows = bob.script(LABELS)
    forms = [{next((at for at, each in enumerate(patterns) if re.fullmatch(each, text)), text) for text in row} for row in rows]
    assert rows and all(len(form) == 1 and form <= {0, 1, 2} for form in forms), (pixels, rows)


# Each row but the last of a part ends at the edge, and most have about the usual height. A panorama may have its own.
for pixels in (360, 390, 768, 1280, 1920):
    wide(pixels)
    bob.go("/library").pictures()
    assert bob.moved() < 0.01, bob.moved()
    flows, row = check_rows(pixels, *((0.78, 1.6) if pixels <= 448 else (0.75, 1.251)))
    rows = [each for flow in flows for each in flow["rows"]]
    assert sum(ratio > 3 for each in rows for ratio, _ in each["crops"]) == 19, rows
    # Few rows end before the edge, although a quarter of the photos are panoramas.
    early = sum(each["end"] > 1 for flow in flows for each in flow["rows"][:-1])
    assert early <= (6 if pixels <= 448 else 2), (pixels, early, rows)
    if pixels == 390:
        assert all(each["count"] <= 4 and (each["height"] >= 80 or has_panorama(each)) for each in rows), rows
    check_dates(pixels)
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
    # Hearts and durations are within the pictures, also of selected photos, and one of them is shown where both have no room.
    bob.script("""for (const link of document.querySelectorAll(".grid a")) link.insertAdjacentHTML("beforeend",
        '<span class="favorite"></span><span class="video"><span>12:34</span></span>')""")
    assert not bob.script(SIGNS), (pixels, bob.script(SIGNS))
    bob.script("for (const box of document.querySelectorAll('.grid input')) box.checked = true")
    assert not bob.script(SIGNS), (pixels, bob.script(SIGNS))
    if pixels >= 768:
        bar, middles = bob.script("""const bar = document.querySelector(".bar"), middle = each => {
            const { top, bottom } = each.getBoundingClientRect(); return (top + bottom) / 2 }
            return [middle(bar), [...bar.querySelectorAll("button:not([hidden]), output")].map(middle)]""")
        assert all(abs(middle - bar) <= 4 for middle in middles), (pixels, bar, middles)
        clear, count = bob.script("return ['#clear', '.bar output'].map(each => { const { left, right } = document.querySelector(each).getBoundingClientRect(); return [left, right] })")
        assert 8 <= count[0] - clear[1] <= 24, (pixels, clear, count)
    if pixels == 1280:
        icons = bob.script("return [...document.querySelectorAll('.bar button:not([hidden]) .icon')].map(each => each.getBoundingClientRect().top)")
        assert len(icons) > 4 and max(icons) - min(icons) < 1, icons
    bob.named("Clear selection").click()
    # The title at the top is that of the topmost photo in view, also where months share rows.
    titles = []
    for _ in range(60):
        bob.script("scrollBy(0, 53)")
        title = bob.driver.execute_async_script(TITLE)
        assert title is None or title[0] == title[1], (pixels, title)
        titles += [title[0]] if title else []
    assert len(titles) > 40 and len(set(titles)) > 4, titles
# The pictures of panoramas have as many pixels as their tiles, where there are such pictures.
for pixels, widths in ((390, {1024}), (1920, {2600, 2048})):
    wide(pixels)
    bob.go("/library").script("document.querySelector('[data-name^=wide]').scrollIntoView({ block: 'center' })")
    shown = "return [...document.querySelectorAll('[data-name^=wide] img')].map(each => each.naturalWidth)"
    bob.until(lambda: set(bob.script(shown)) == widths, f"not the pictures of {pixels}")
# Where months share rows, a year is above its first photo.
wide(390)
bob.go("/library").pictures()
assert bob.script("return [...document.querySelectorAll('.short li[data-year]')].map(each => each.dataset.year)") == ["2025", "2024"]
# Month and date have the same distance everywhere.
gaps = bob.script(GAPS)
assert len(gaps) == 3 and max(gaps) - min(gaps) < 1, gaps
# Without scripts photos are cropped for it.
for pixels in (390, 1280):
    wide(pixels)
    bob.script_is_off(True).go("/library")
    bob.until(lambda: bob.script("return getComputedStyle(document.querySelector('.grid')).visibility") == "visible")
    check_rows(pixels, 0.79, 1.61, is_arranged=False)
    bob.script_is_off(False)
bob.close()
print("DONE")
