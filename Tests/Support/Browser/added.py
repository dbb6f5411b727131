"""Photos that Bob adds on this and other devices appear by themselves where they disturb nothing, and months with few
photos are side by side."""
import json, os
from pictures import png
from portal import SERVER, Browser, photolala
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

os.chdir(os.environ["HOME"])
DAY, MAY = 86400, 1715767200

bob = Browser()
bob.go("/create-account").press("Create account with Apple").press("bob").is_at("/library")
# A month with many photos, and before it years with few in each month.
for number in range(40):
    png(f"camera/may/{number:02}.png", (number * 6, 99, 200), 64, 48, date=MAY - number * 600)
for number in range(90):
    png(f"camera/old/{number:02}.png", (99, number * 2, 9), 64, 48, date=MAY - (40 + 31 * number) * DAY)
    png(f"camera/old/{number:02}b.png", (99, number * 2, 90), 36, 48, date=MAY - (40 + 31 * number) * DAY - 60)
photolala("signin", "--server", SERVER, "--provider", "apple", "--dev-user", "bob")
photolala("backup", "camera")
keys = lambda *names: ActionChains(bob.driver).send_keys(*names).perform()
count = lambda: sum(block[0] for month in json.loads(bob.script("return document.querySelector('#timeline').dataset.months"))
                    for block in month["blocks"])
PLACE = """const link = document.activeElement; const { left, top } = link.getBoundingClientRect()
    return [link.querySelector("img")?.alt ?? null, left, top]"""


def places(selector):
    return bob.script(f"""return Array.from(document.querySelectorAll("{selector}"), each => {{
        const {{ left, top, width, height }} = each.getBoundingClientRect(); return [left, top, width, height] }})""")


# The days of months with few photos share rows, each below its date, and a month with many has its own rows.
bob.go("/library").until(lambda: len(bob.all("#timeline .short > section")) == 90)
# The months that share rows are loaded together, with at most 120 photos.
assert len(bob.all("#timeline > section")) == 1 and len(bob.all("#timeline > .run > .short")) == 2
assert bob.moved() < 0.01, bob.moved()
reserved = bob.script("return Array.from(document.querySelectorAll('.short'), each => each.getBoundingClientRect().height)")
bob.script("document.querySelector('.short').scrollIntoView()")
bob.until(lambda: len(bob.all(".short:has(+ .short) li")) == 120, "the months do not load").pictures()
rows = {}
for left, top, width, height in places(".short:has(+ .short) a"):
    rows.setdefault(round(top + height), []).append((left, left + width, height))
[(start, _, timeline, _)] = places("#timeline")
for row in rows.values():
    assert abs(row[0][0] - start) <= 5.5 and abs(row[-1][1] - start - timeline) < 1, (row, start, timeline)
    assert max(height for *_, height in row) - min(height for *_, height in row) < 1, row
assert len(rows) < 35, len(rows)
photos = places(".short section:nth-child(-n + 2) a")
assert [each.text for each in bob.all(".short h3")][:2] == ["Apr 5, 2024", "Mar 5, 2024"]
# They have the size that they reserved.
size = places(".short:has(+ .short)")[0][3]
assert abs(reserved[0] - size) < 2, (reserved, size)
# The title of the month with many is pushed away by the title above the months with few.
bob.script("scrollTo(0, 200)")
title = lambda: places("#timeline > section h2")[0]
assert title()[1] == 64, title()
bob.script("scrollBy(0, document.querySelector('.short').getBoundingClientRect().top - 150)")
[(_, top, _, height)], [month] = [title()], places(".month")
assert top < 64 and top + height <= month[1] + 1, (top, height, month)
# The arrow keys move in the rows that are seen.
bob.script("document.querySelector('.short li a').focus()")
keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
name, left, top = bob.script(PLACE)
assert name.startswith("01.png") and abs(top - photos[0][1]) < 300, name
keys(Keys.ARROW_DOWN)
bob.until(lambda: bob.script(PLACE)[2] > top and bob.script(PLACE)[0] != name, "the focus does not move down")
below = bob.script(PLACE)
assert below[0].endswith(("2018", "2019", "2020", "2021", "2022", "2023", "2024")) and abs(below[1] - left) < 200, (below, left)
keys(Keys.ARROW_UP)
bob.until(lambda: bob.script(PLACE)[0] == name, "the focus does not come back")
# A month that loads changes no place of what is seen.
bob.script("scrollTo(0, document.documentElement.scrollHeight)")
bob.until(lambda: bob.all(".short + .short section:last-child li"), "the end does not load").pictures()
for _ in range(3):
    bob.script("scrollBy(0, -900)")
    bob.until(lambda: bob.script("""window.kept = Array.from(document.querySelectorAll('.grid li')).find(
        each => each.getBoundingClientRect().top > 100); return Boolean(window.kept)"""), "no photo is shown")
    place = bob.script("return window.kept.getBoundingClientRect().top")
    bob.driver.execute_async_script("setTimeout(arguments[0], 500)")
    moved = bob.script("return window.kept.isConnected ? window.kept.getBoundingClientRect().top : null")
    assert moved is not None and abs(moved - place) < 2, (place, moved)

# The list of months is grouped by year, and is left out where it is of no use.
bob.script("scrollTo(0, 0)")
bob.named("Go to month").click()
assert [each.text for each in bob.all("#months p")] == ["2024", "2023", "2022", "2021", "2020", "2019", "2018", "2017", "2016"], bob.all("#months")[0].text
bob.all("#months a")[1].click()
bob.arrives("/library?from=1").go("/library?q=2022").until(lambda: bob.title == "2022")
assert not bob.all(".months")[0].is_displayed()

# An upload appears by itself, at its place, while the photos and the focus stay where they are.
bob.go("/library").until(lambda: count() == 220, f"not all photos are here: {count()}")
bob.bring([png("new/first.png", (250, 80, 7), date=MAY + 60)]).has_soon("1 photo uploaded.")
bob.until(lambda: bob.pictures()[0].startswith("first.png"), "the photo does not appear").has_not("Show new photos")
assert count() == 221 and bob.script("return scrollY") == 0
bob.script("scrollTo(0, 900)")
bob.until(lambda: bob.script("""const links = [...document.querySelectorAll(".grid a")]
    links.find(link => link.getBoundingClientRect().top > 150)?.focus({ preventScroll: true })
    return document.activeElement !== document.body"""))
name, left, top = bob.script(PLACE)
bob.bring([png("new/second.png", (250, 8, 70), date=MAY + 120)]).has_soon("1 photo uploaded.")
bob.until(lambda: count() == 222, "the photo does not appear")
bob.until(lambda: bob.script(PLACE)[0] == name, "the focus is lost").has_not("Show new photos")
assert abs(bob.script(PLACE)[2] - top) < 2, (top, bob.script(PLACE))
# While photos are selected, or a menu is open, the panel offers it.
bob.script("scrollTo(0, 0)")
bob.choose(0).bring([png("new/third.png", (25, 8, 70), date=MAY + 180)]).has_soon("Show new photos").has("1 selected")
assert count() == 222
bob.press("Show new photos").until(lambda: bob.pictures()[0].startswith("third.png"), "the photo is not shown")

# At the top, changes of other devices appear when the tab is shown again; further down, the photos stay as they are.
png("camera2/other.png", (80, 7, 7), 32, 24, date=MAY + 240)
photolala("backup", "camera2")
shown = "document.dispatchEvent(new Event('visibilitychange'))"
asked = "return performance.getEntriesByType('resource').filter(({ name }) => name.includes('/library/state')).length"
bob.script("scrollTo(0, 900)")
bob.script(shown)
assert bob.script(asked) == 0
bob.script("scrollTo(0, 0)")
bob.script(shown)
bob.until(lambda: bob.pictures()[0].startswith("other.png"), "the photo of another device does not appear")
assert bob.script("return scrollY") == 0 and count() == 224

# A short album has no months, and its days have a year.
bob.choose(0).script("document.querySelector('.short').scrollIntoView()")
bob.until(lambda: len(bob.all(".grid input")) > 45).choose(45).press("Add to album").fill("name", "Few").press("Create").has_soon("2 items added to “Few”")
bob.press("Show album").until(lambda: bob.title == "Few" and len(bob.all(".grid li")) == 2)
assert [each.text for each in bob.all(".day h3")] == ["May 15, 2024", "Apr 5, 2024"], bob.text
assert all(each.size["width"] <= 1 for each in bob.all("#timeline h2")) and not bob.all(".months")[0].is_displayed()
assert len({round(top) for _, top, *_ in places(".grid a")}) == 1, places(".grid a")
bob.check("album-few")
bob.close()
print("DONE")
