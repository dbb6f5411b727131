"""Bob's grid: rows in the photos' proportions, days, the arrow keys, touch, undo, the years, and the look that he chose."""
import os, pathlib
from pictures import png
from portal import SERVER, Browser, photolala
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

os.chdir(os.environ["HOME"])
DAY = 86400
MARCH = 1710072000

bob = Browser()
bob.go("/create-account").press("Create account with Apple").press("bob").is_at("/library")
# Wide, tall and square photos on one day in March 2024, two more days, and years of photos before.
sizes = [(400, 200), (200, 400), (300, 300), (600, 200)] * 5
for number, (width, height) in enumerate(sizes):
    png(f"camera/a{number:02}.png", (number * 9, 99, 200), width, height, date=MARCH + number)
png("camera/b0.png", (1, 200, 3), 40, 30, date=MARCH - 2 * DAY)
png("camera/b1.png", (1, 3, 200), 40, 30, date=MARCH - 3 * DAY)
for number in range(600):
    png(f"camera/old/{number:03}.png", (number % 256, number // 256, 9), 32, 24, date=MARCH - (400 + 4 * number) * DAY)
photolala("signin", "--server", SERVER, "--provider", "apple", "--dev-user", "bob")
photolala("backup", "camera")


def places(selector="#timeline > section:first-child .day:first-child a"):
    """Returns the left, top, width and height of photos."""
    return bob.script(f"""return Array.from(document.querySelectorAll("{selector}"), each => {{
        const {{ left, top, width, height }} = each.getBoundingClientRect(); return [left, top, width, height] }})""")


def matches(query):
    return bob.script(f"return matchMedia('{query}').matches")


def phone(width):
    bob.touch(True).driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": width, "height": 800, "deviceScaleFactor": 1, "mobile": True})


def focused():
    return bob.script("return document.activeElement.querySelector('img')?.alt.split(',')[0]")


# With a mouse, ticks appear where it is.
MOUSE = "(hover: hover) and (pointer: fine)"
shown = lambda: [label.is_displayed() for label in bob.all(".grid label")[:3]]
bob.go("/library").pictures()
assert matches(MOUSE) and not any(shown()) and not bob.all(".tick")[0].is_displayed(), shown()
ActionChains(bob.driver).move_to_element(bob.all(".grid a")[1]).perform()
assert shown() == [False, True, False] and bob.all(".tick")[0].is_displayed(), shown()
ActionChains(bob.driver).move_to_element(bob.all(".brand")[0]).perform()

# Each photo has its own proportion, each row of a day one height, and full rows end at one edge.
bob.go("/library").pictures()
# The list may be replaced once, as the photos have changed since the page was kept.
assert bob.stable(lambda: [each.text for each in bob.all(".day h3")])[:3] == ["Mar 10, 2024", "Mar 8, 2024", "Mar 7, 2024"]
day = places()
assert len(day) == 20, day
rows = {}
for (left, top, width, height), (across, down) in zip(day, reversed(sizes)):
    # Photos that are not upright may be cropped by 6 %, so that their row is not too low or too high.
    most = 0.065 if across >= down else 0.02
    assert abs(width / height / (across / down) - 1) < most, (width, height, across, down)
    rows.setdefault(round(top), []).append((left, width, height))
assert len(rows) >= 3, rows
for row in rows.values():
    assert max(height for _, _, height in row) - min(height for _, _, height in row) < 1, row
# The photos of all days are in the same rows, which end at the edge. Each day's date is above its first photo.
rows = {}
for left, top, width, height in places("#timeline > section:first-child a"):
    rows.setdefault(round(top + height), []).append((left, left + width, height))
[(start, _, timeline, _)] = places("#timeline")
for row in list(rows.values())[:-1]:
    assert abs(row[0][0] - start) < 1 and abs(row[-1][1] - start - timeline) < 1, (row, start, timeline)
for row in rows.values():
    assert max(height for *_, height in row) - min(height for *_, height in row) < 1, row
dates, first = places("#timeline > section:first-child h3"), places("#timeline > section:first-child .first a")
assert len(dates) == 3 and all(
    abs(left - photo[0]) < 1 and left + width <= start + timeline + 1 and 0 <= photo[1] - top - height < 2
    for (left, top, width, height), photo in zip(dates, first)), (dates, first)

# Below its picture a tile has the color of it, also without scripts, unless the picture is missing.
COLORS = """return Array.from(document.querySelectorAll("#timeline > section:first-child .day:first-child li"), each => {
    const svg = each.querySelector(":scope > svg"), { width, height } = svg.getBoundingClientRect();
    return [svg.getAttribute("color"), getComputedStyle(svg).backgroundColor, Math.abs(width - each.getBoundingClientRect().width) < 1, height > 99] })"""
for color, shown, *isWhole in bob.script(COLORS):
    assert all(isWhole), isWhole
    red, green, blue = (int(color[at:at + 2], 16) for at in (1, 3, 5))
    assert shown == f"rgb({red}, {green}, {blue})", (color, shown)
bob.script_is_off(True).go("/library")
assert len(set(bob.script("return Array.from(document.querySelectorAll('.grid svg'), each => getComputedStyle(each).backgroundColor)"))) > 9
assert all(abs(width / height - across / down) < 0.03 for (*_, width, height), (across, down) in zip(places(), reversed(sizes)))
bob.script_is_off(False).go("/library").pictures()
bob.script("document.querySelector('#timeline li img').src = '/none.jpg'")
bob.until(lambda: bob.all(".missing"), "a missing picture is not reported")
assert not bob.all(".missing > svg")[0].is_displayed()

# The grid is one stop of the tab key; arrow keys move in it, also to blocks that are not loaded.
assert len(bob.all('.grid [tabindex="0"]')) == 1
bob.script("document.querySelector('.grid a').focus()")
keys = lambda *names: ActionChains(bob.driver).send_keys(*names).perform()
keys(Keys.ARROW_RIGHT)
assert focused() == "a18.png", focused()
ROW = "return document.activeElement.getBoundingClientRect().top"
above = bob.script(ROW)
keys(Keys.ARROW_DOWN)
assert bob.script(ROW) > above
keys(Keys.ARROW_UP)
# The nearest photo of a row is not always the one from which its own nearest was reached.
assert bob.script(ROW) == above, focused()
keys(Keys.ARROW_LEFT, Keys.ARROW_LEFT)
assert focused() == "a19.png", focused()
bob.script("""const last = document.querySelectorAll('.grid')[0]; Array.from(last.querySelectorAll('a')).at(-1).focus()""")
assert focused() == "b1.png", focused()
keys(Keys.ARROW_RIGHT)
bob.until(lambda: focused() == "000.png", "the next block is not reached")
keys(" ")
bob.has("1 selected")
keys(Keys.ESCAPE)
bob.until(lambda: not bob.all(".choosing"), "Escape does not clear the selection")

# A day is selected at once, and another click clears it.
tick = lambda: ActionChains(bob.driver).move_to_element(bob.all(".day h3")[0]).click(bob.all(".tick")[0]).perform()
tick()
bob.has("20 selected")
tick()
bob.until(lambda: not bob.all(".choosing"), "the day stays selected")

# While photos are selected, a click on a picture selects it; the trash can be undone.
bob.go("/library").choose(0)
bob.all(".grid a")[1].click()
bob.is_at("/library").has("2 selected").press("Move to trash").has_soon("2 items moved to trash")
assert "a19.png" not in bob.driver.page_source
bob.press("Undo").is_at("/library").has_soon("2 items restored")
assert [name.split(",")[0] for name in bob.pictures()[:2]] == ["a19.png", "a18.png"]
# An address alone reports nothing.
bob.go("/library?done=2")
assert not bob.all("#undo, #done")
# A notice that the page waits stays until the page shows what the act did.
bob.go("/library").script("""const real = window.fetch
    window.fetch = async (...all) => {
        if (all[1]?.method === "POST") await new Promise(done => setTimeout(done, 1500))
        return real(...all)
    }
    new MutationObserver(list => {
        for (const node of list.flatMap(({ removedNodes }) => [...removedNodes])) {
            if (node.matches?.(".waiting")) window.isDone = !document.querySelector(".grid .leaving")
        }
    }).observe(document.querySelector("main"), { childList: true })""")
bob.choose(0).named("Move to trash").click()
bob.until(lambda: bob.script("return window.isDone !== undefined"), "the page does not wait")
assert bob.script("return window.isDone"), "the notice leaves before the photo"
bob.has_soon("1 item moved to trash").press("Undo").has_soon("1 item restored")
bob.go("/library").all(".grid a")[0].click()
# On a photo's page, the next photo follows.
bob.arrives("/library/photo").named("Move to trash").click()
bob.until(lambda: bob.photo.startswith("a18.png"), "the next photo does not follow")
bob.has("1 item moved to trash").named("Undo").click()
bob.until(lambda: bob.photo.startswith("a19.png"), "the photo does not come back")

# Blocks that load above the visible area do not move it.
bob.go("/library").script("window.scrollTo(0, document.documentElement.scrollHeight)")
bob.until(lambda: bob.all(".grid:last-of-type li"), "the end does not load")
bob.pictures()
for _ in range(4):
    bob.script("scrollBy(0, -1200)")
    bob.until(lambda: bob.script("""window.kept = Array.from(document.querySelectorAll('.grid li')).find(
        each => each.getBoundingClientRect().top > 100); return Boolean(window.kept)"""), "no photo is shown")
    top = bob.script("return window.kept.getBoundingClientRect().top")
    bob.driver.execute_async_script("setTimeout(arguments[0], 700)")
    moved = bob.script("return window.kept.isConnected ? window.kept.getBoundingClientRect().top : null")
    assert moved is not None and abs(moved - top) < 2, (top, moved)

# Nothing that is seen moves while blocks load, wherever the page is scrolled to.
bob.go("/library").script("""window.moves = []
    new PerformanceObserver(list => { for (const { value, sources } of list.getEntries())
        if (sources.some(({ node }) => node?.parentElement?.closest("#timeline"))) window.moves.push(value)
    }).observe({ type: "layout-shift" })""")
EMPTY = """return Array.from(document.querySelectorAll("#timeline section > .grid:empty")).some(each => {
    const { top, bottom } = each.getBoundingClientRect(); return bottom > 0 && top < innerHeight })"""
bob.driver.execute_cdp_cmd("Network.enable", {})
bob.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {
    "offline": False, "latency": 200, "downloadThroughput": -1, "uploadThroughput": -1})
for share in (0.9, 0.5, 0.48, 0.46, 0.44, 0.2, 0.17, 0.1, 0):
    bob.script(f"scrollTo(0, document.documentElement.scrollHeight * {share})")
    bob.until(lambda: not bob.script(EMPTY), "the window stays empty")
bob.slow(-1)
assert sum(bob.script("return window.moves")) < 0.005, bob.script("return window.moves")

# An act in the middle of many photos needs no other page. What stays keeps its place, its picture and the focus, and
# the undo brings back the rest.
SEEN = """const edge = document.querySelector(".top").getBoundingClientRect().bottom
    return Array.from(document.querySelectorAll(".grid li"), each => [each.querySelector("input").name,
        each.getBoundingClientRect().top, each.querySelector("img").naturalWidth > 0]).filter(
        ([, top]) => top >= edge && top < innerHeight)"""
# What is visible at the moment at which other photos replace those that are shown.
WATCH = """window.isSame = true
    new MutationObserver(() => {
        const blocks = Array.from(document.querySelectorAll(".grid")).filter(each => {
            const { top, bottom } = each.getBoundingClientRect()
            return bottom > 64 && top < innerHeight })
        window.blank = blocks.filter(each => !each.firstElementChild).length
        window.swaps = (window.swaps ?? 0) + 1
    }).observe(document.querySelector("#timeline"), { childList: true })"""
bob.go("/library").pictures()
bob.script("scrollTo(0, 3000)")
bob.until(lambda: len(bob.script(SEEN)) > 4, "no photos are shown").pictures()
bob.script(WATCH)
number = lambda name: bob.driver.execute_script(
    "return Array.from(document.querySelectorAll('.grid input')).findIndex(box => box.name === arguments[0])", name)
current = lambda: bob.script("return document.activeElement.closest('li')?.querySelector('input').name")
seen = [name for name, *_ in bob.script(SEEN)]
for name in (seen[1], seen[3]):
    bob.choose(number(name))
bob.until(lambda: all(isLoaded for *_, isLoaded in bob.script(SEEN)), "pictures do not load")
before = bob.script(SEEN)
places_before, next_one = dict((name, top) for name, top, _ in before), seen[4]
first = next(name for name, *_ in before if name not in (seen[1], seen[3]))
bob.press("Move to trash").has_soon("2 items moved to trash")
after = {name: (top, isLoaded) for name, top, isLoaded in bob.script(SEEN)}
assert bob.script("return window.isSame && window.swaps > 0 && window.blank === 0"), bob.script("return [window.isSame, window.swaps, window.blank]")
assert not {seen[1], seen[3]} & set(after) and not bob.all(".choosing, .leaving")
assert abs(after[first][0] - places_before[first]) <= 1, (places_before[first], after[first])
assert all(after[name][1] for name in places_before if name in after), "a picture that was loaded is not shown"
assert current() == next_one, (current(), next_one)
address = bob.path
bob.press("Undo").has_soon("2 items restored")
again = {name: top for name, top, _ in bob.script(SEEN)}
assert bob.script("return window.isSame && window.blank === 0") and bob.path == address
assert {seen[1], seen[3]} <= set(again) and abs(again[first] - places_before[first]) <= 1, (places_before[first], again)
# Favorites get and lose their heart in the same way.
hearts = lambda: [each.get_attribute("name") for each in bob.all(".grid li:has(.favorite) input")]
bob.choose(number(seen[2])).press("Add to favorites").has_soon("1 item added to favorites")
assert hearts() == [seen[2]] and not bob.all(".choosing")
bob.press("Undo").has_soon("1 item removed from favorites")
assert hearts() == [] and bob.script("return window.isSame"), hearts()
# The next act may begin before the first is answered: both are made, and the undo is that of the second.
counted = lambda: bob.script("return JSON.parse(document.querySelector('#timeline').dataset.months).reduce((sum, month) => month.blocks.reduce((sum, block) => sum + block[0], sum), 0)")
total = counted()
bob.choose(number(seen[0])).all(".bar [name=archived]")[0].click()
bob.choose(number(seen[4])).named("Move to trash").click()
bob.has_soon("1 item moved to trash").until(lambda: counted() == total - 2, "an act is lost")
bob.press("Undo").until(lambda: counted() == total - 1)
assert number(seen[4]) >= 0 and number(seen[0]) == -1 and bob.script("return window.isSame")
# A list that becomes empty, and one that no longer is, need no other page either.
bob.go("/library/archive").pictures()
bob.script("window.isSame = true")
bob.choose(0).press("Unarchive").has_soon("Nothing archived yet")
bob.press("Undo").until(lambda: len(bob.all(".grid li")) == 1, "the photo does not come back")
bob.choose(0).press("Unarchive").has_soon("Nothing archived yet")
assert bob.script("return window.isSame"), "the page is another one"

# The bar of years scrolls to a month.
bob.go("/library")
years = bob.script("return Array.from(document.querySelectorAll('.scrubber span'), each => each.textContent)")
assert years[0] == "2024" and len(years) >= 3, years
# The year in view is marked, at the end the last one.
marked = lambda: bob.script("return Array.from(document.querySelectorAll('.scrubber .current'), each => each.textContent)")
assert marked() == ["2024"], marked()
bob.script("scrollTo(0, document.documentElement.scrollHeight)")
bob.until(lambda: marked() == years[-1:], "the last year is not marked").script("scrollTo(0, 0)")
bob.until(lambda: marked() == ["2024"], "the first year is not marked")
bar = bob.all(".scrubber")[0]
ActionChains(bob.driver).move_to_element_with_offset(bar, 0, 300).click().perform()
bob.until(lambda: bob.script("return scrollY") > 2000, "the bar does not scroll")
bob.until(lambda: any(each.is_displayed() for each in bob.all(".grid li")), "nothing loads there")
bob.check("grid")

# Blocks that are refused because there were too many requests are requested again after the time that the server names.
refuse = bob.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": """
    const real = window.fetch
    window.refused = 0
    window.fetch = async (address, ...more) => {
        if (window.refused >= 3 || !String(address).startsWith("/library/blocks")) return real(address, ...more)
        window.refused += 1
        return new Response("", { status: 429, headers: { "retry-after": "1" } })
    }"""})
bob.go("/library").script("scrollTo(0, document.documentElement.scrollHeight / 2)")
bob.until(lambda: bob.script("""const seen = Array.from(document.querySelectorAll("#timeline .grid")).filter(block => {
        const { top, bottom } = block.getBoundingClientRect()
        return bottom > 0 && top < innerHeight
    })
    return window.refused === 3 && seen.length > 0 && seen.every(block => block.firstElementChild)"""), "photos are missing")
bob.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", refuse)

# On a touch screen a long press selects, then taps select, and a tap without a selection opens the photo.
phone(390)
bob.go("/library").pictures()
assert matches("(hover: none) and (pointer: coarse)") and bob.named("Select").is_displayed()
# Usual photos of successive days are three in a row, and a narrow one has a short date.
bob.script("document.querySelector('#timeline > section:nth-of-type(2)').scrollIntoView()")
bob.until(lambda: len(bob.all("#timeline > section:nth-of-type(2) li")) > 5, "the month does not load")
assert len({round(top) for _, top, *_ in places("#timeline > section:nth-of-type(2) a")[:3]}) == 1
bob.script("scrollTo(0, 0)")


def touch(number, seconds=0):
    place = places()[number]
    point = {"x": place[0] + place[2] / 2, "y": place[1] + place[3] / 2}
    bob.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    if seconds:
        bob.until(lambda: bob.all(".choosing"), "a long press does not select")
    bob.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


assert not bob.all(".grid label")[0].is_displayed()
touch(0, seconds=1)
bob.is_at("/library").has("1 selected")
touch(1)
bob.has_soon("2 selected").is_at("/library").check("grid-selected", schemes=("light",))
phone(390)
bob.go("/library").pictures()
touch(0)
bob.arrives("/library/photo")

# "Select" begins a selection without a long press. On a narrow phone the count is on one line, with all buttons in view.
phone(360)
bob.go("/library").pictures()
bob.named("Select").click()
bob.has_soon("0 selected")
touch(0)
bob.has_soon("1 selected").is_at("/library")
lines = bob.script("""const range = document.createRange();
    range.selectNodeContents(document.querySelector(".bar output")); return range.getClientRects().length""")
edges = bob.script("""return Array.from(document.querySelectorAll(".bar button:not([hidden])"),
    each => { const { left, right } = each.getBoundingClientRect(); return [left, right] })""")
assert lines == 1 and all(left >= 0 and right <= 360 for left, right in edges), (lines, edges)
ends = bob.script("return ['.bar', '.search'].map(name => document.querySelector(name).getBoundingClientRect().bottom)")
assert ends[0] >= ends[1], ("the search is below the bar", ends)
bob.named("Clear selection").click()
bob.until(lambda: not bob.all(".choosing"), "the selection stays open")

# While photos scroll, a handle beside them moves through the years.
handle = bob.all(".scrubber i")[0]
assert not handle.is_displayed()
bob.script("scrollBy(0, 300)")
bob.until(handle.is_displayed, "no handle is shown")
# The month and the year of many photos stay in view.
stuck = """return Array.from(document.querySelectorAll("#timeline h2")).find(each => each.getBoundingClientRect().top === 0)
    ?.textContent"""
bob.until(lambda: bob.script(stuck) == "March 2024", "no month is at the top")
x, y, before = bob.script("""const { left, top, width, height } = document.querySelector(".scrubber i").getBoundingClientRect();
    return [left + width / 2, top + height / 2, scrollY]""")
for kind, points in (("touchStart", [{"x": x, "y": y}]), ("touchMove", [{"x": x, "y": 500}])):
    bob.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
bob.until(lambda: bob.script("return scrollY") > before + 2000, "the handle does not scroll")
assert bob.all(".scrubber output")[0].text and bob.all(".scrubber span")[0].is_displayed()
bob.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
bob.until(lambda: not bob.all(".scrubber output")[0].is_displayed(), "the month stays")

# Without scripts the bar of the selection leaves the navigation free.
bob.script_is_off(True).go("/library").all(".grid input")[0].click()
bottom, top = bob.script("""return [document.querySelector(".bar").getBoundingClientRect().bottom,
    document.querySelector(".rail").getBoundingClientRect().top]""")
assert 0 < bottom <= top + 1, (bottom, top)
bob.script_is_off(False)
bob.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
bob.touch(False)
assert matches(MOUSE)

# The chosen theme and language last, and are kept by the sign-in page.
# The theme changes without leaving the page, so what is selected stays.
DARK = lambda: bob.script("return getComputedStyle(document.body).backgroundColor") == "rgb(22, 22, 26)"
bob.go("/library").choose(0).choose(1)
# The bar of the selection lies over the button of the menu, which keyboards reach.
bob.script("document.querySelector('[popovertarget=account-menu]').focus()")
keys(Keys.ENTER)
bob.named("Dark").click()
bob.until(DARK, "the page stays light").has("2 selected").is_at("/library")
assert [each.get_attribute("aria-pressed") for each in bob.all('[name="theme"]')] == ["false", "false", "true"]
# In another language the page is a new one, with the same selection, which a further page does not have.
bob.press("Deutsch").is_at("/library").has_soon("2 ausgewählt")
assert bob.title == "Deine Fotos" and len(bob.all(".grid :checked")) == 2, bob.title
bob.go("/library").until(DARK, "the theme does not last")
assert not bob.all(".grid :checked")
bob.go("/sign-in").press("English").is_at("/sign-in").has("Sign in with Apple")
assert bob.script("return document.documentElement.dataset.theme") == "dark"
bob.close()
print("DONE")
