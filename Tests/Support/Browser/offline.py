"""Bob reads his library without a connection; what the browser keeps is his alone and ends with his session."""
import os
from pictures import png
from portal import SERVER, ActionChains, Browser, Keys, photolala
from relay import Relay

os.chdir(os.environ["HOME"])
MAY = 1715767200
BAR = "You are offline. This page is a saved copy."
WAITING = "Saved on this device. Changes to send when you are online: "

relay = Relay()
bob = Browser(proxy=relay.port)


def caches():
    return sorted(bob.driver.execute_async_script("caches.keys().then(arguments[0])"))


def kept(kind):
    """Returns the addresses that are kept, without the host."""
    return bob.driver.execute_async_script("""const done = arguments[1]; (async () => {
        const found = [];
        for (const name of await caches.keys()) {
            if (name.startsWith(arguments[0] + ":")) found.push(...await (await caches.open(name)).keys());
        }
        done(found.map(({ url }) => url.replace(/^https?:\\/\\/[^/]+/, "")));
    })()""", kind)


def nothing_is_kept():
    left = lambda: [name for name in caches() if name.startswith(("pages", "blocks", "pictures", "reading", "changes"))]
    try:
        bob.until(lambda: not left())
    except AssertionError:
        raise AssertionError(left()) from None


def bar():
    return next((each.text for each in bob.all("#offline > p") if each.is_displayed()), None)


def waits(number):
    bob.until(lambda: f"{WAITING}{number}." in (bar() or ""), f"not {number} changes")


def sent():
    """Returns the paths of the forms that were sent; the browser itself sends to other servers."""
    return sorted(path for method, host, path in relay.requests if method == "POST" and SERVER.endswith(host))


def is_offline(is_on):
    """Cuts the connection of this tab only."""
    bob.driver.execute_cdp_cmd("Network.enable", {})
    bob.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {
        "offline": is_on, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1})


def open_album(browser, name):
    browser.go("/library/albums")
    next(link for link in browser.all(".albums a") if name in link.text).click()
    return browser.until(lambda: browser.title == name)


def add(number, album):
    bob.choose(number).named("Add to album").click()
    bob.until(lambda: bob.all("#offline-albums[open]"), "no choice of albums")
    bob.named(album).click()
    bob.until(lambda: not bob.all("#offline-albums[open]"))


def choose(mode):
    bob.go("/account").script(f"document.querySelector('#offline-mode').value = '{mode}'")
    bob.all("form[action='/account/offline'] button")[0].click()
    bob.until(lambda: bob.path.endswith("#offline-reading"))


def read(number):
    """Opens the library and waits until it is kept with its pictures."""
    bob.go("/library").pictures()
    bob.until(lambda: "/library?" in kept("pages"), "the library is not kept")
    bob.until(lambda: len(kept("pictures")) >= number, "pictures are not kept")


def sign_in(name, page="sign-in", label="Sign in with Apple"):
    bob.go(f"/{page}").press(label).press(name).is_at("/library")


sign_in("bob", "create-account", "Create account with Apple")
for number in range(150):
    png(f"camera/{number:03}.png", (number, 99, 200), 64, 48, date=MAY - number * 3 * 86400)
png("camera/large.png", (9, 99, 200), 3000, 2000, date=MAY + 86400)
photolala("signin", "--server", SERVER, "--provider", "apple", "--dev-user", "bob")
photolala("backup", "camera")

# In a browser's tab nothing is kept before the person asks for it; in the installed app it is.
bob.go("/library").pictures()
bob.until(lambda: bob.script("return document.readyState") == "complete")
assert caches() == [], caches()
# Headless Chromium installs no app; Safari tells pages in this way that they are one.
script = bob.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {
    "source": "Object.defineProperty(navigator, 'standalone', { value: true })"})
read(1)
bob.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)
choose("off")
nothing_is_kept()
bob.go("/library").pictures()
nothing_is_kept()

# What was opened is kept: pages, blocks of the grid, and pictures; nothing else.
choose("on")
bob.check("account-offline")
read(1)
bob.script("scrollTo(0, document.body.scrollHeight)")
bob.until(lambda: bob.all("img[alt^='149.png']") and kept("blocks"), "no block is kept")
bob.go("/library").pictures()
bob.go(bob.all(".grid a")[0].get_attribute("href")).until(lambda: bob.photo.startswith("large.png"))
bob.until(lambda: any("/library/photo?" in each for each in kept("pages")), "the photo is not kept")
for name, number in [("Lake", 1), ("Gone", 2)]:
    bob.go("/library").choose(number).press("Add to album")
    if name == "Gone":
        bob.named("New album").click()
    bob.fill("name", name).press("Create").has_soon("1 item added to")
open_album(bob, "Lake").pictures()
bob.press("Add photos").has("Add to “Lake”").pictures()
bob.until(lambda: any("for=" in each for each in kept("pages")), "the choice for an album is not kept")
for path in ["/albums", "/trash", "?favorites=1", "?done=3", "/archive", "/favorites"]:
    bob.go("/library" + path)
bob.go("/account")
bob.until(lambda: "/library/favorites?" in kept("pages") and "/library/albums?" in kept("pages"))
allowed = ("/library?", "/library/archive?", "/library/favorites?", "/library/albums?", "/library/photo?", "/library/offline?")
assert all(each.startswith(allowed) for each in kept("pages")), kept("pages")
assert all("thumbnails/" in each and "?" not in each for each in kept("pictures")), kept("pictures")
secrets = bob.driver.execute_async_script("""const done = arguments[0]; (async () => {
    const found = [];
    for (const name of await caches.keys()) {
        if (!/^(pages|blocks):/.test(name)) continue;
        const cache = await caches.open(name);
        for (const key of await cache.keys()) {
            const text = await (await cache.match(key)).text();
            if (/X-Amz-Signature|name="form_token" value="[^"]|data-token="[^"]|bob@/.test(text)) found.push(key.url);
        }
    }
    done(found);
})()""")
assert secrets == [], secrets

# Without a connection the kept pages are shown, and acts that need the server are held.
relay.stop()
bob.go("/library").has_soon("2024")
bob.until(lambda: bar() == BAR, "no bar")
assert any(alt.startswith("large.png") for alt in bob.pictures()), bob.pictures()
bob.check("offline-library")
bob.script("scrollTo(0, document.body.scrollHeight)")
bob.until(lambda: bob.all("img[alt^='149.png']"), "the last block is not shown")
bob.script("scrollTo(0, 0)")
bob.until(lambda: bob.all("img[alt^='large.png']"), "the first block is not shown again")
bob.choose(0).named("Move to trash").click()
bob.until(lambda: "needs a connection" in bar(), "the act is not held").is_at("/library")
bob.all("#clear")[0].click()
bob.all("a.brand")[0].click()
bob.until(lambda: bar() == BAR).is_at("/library")
bob.all(".grid a")[0].click()
bob.until(lambda: bob.photo.startswith("large.png") and bar() == BAR, "the kept photo is not shown")
bob.until(lambda: bob.script("return document.querySelector('.stage img').naturalWidth > 0"), "no picture")

# Changes of favorites and albums are kept.
bob.all("#favorite")[0].click()
waits(1)
heart = lambda: bob.all("#favorite")[0].get_attribute("aria-pressed")
bob.until(lambda: heart() == "true", "the heart is not filled")
bob.named("Discard changes").click()
question = bob.driver.switch_to.alert
assert question.text == "Unsent changes: 1. Discard them?", question.text
question.accept()
bob.until(lambda: bar() == BAR and heart() == "false", "the change is not discarded")
bob.all("#favorite")[0].click()
waits(1)
bob.all("#information")[0].click()
bob.named("Add to album").click()
bob.until(lambda: bob.all("#offline-albums[open]"), "no choice of albums")
ActionChains(bob.driver).send_keys(Keys.ESCAPE).perform()
bob.until(lambda: not bob.all("#offline-albums[open]"), "the choice stays").is_at("/library/photo")
bob.go("/library")
waits(1)
bob.until(lambda: len(bob.all(".grid .favorite")) == 1, "no heart in the grid")
# On the page that chooses photos for an album, which then is shown.
open_album(bob, "Lake").press("Add photos").choose(0).named("Add to “Lake”").click()
bob.until(lambda: bob.title == "Lake")
waits(2)
bob.go("/library")
add(3, "Gone")
waits(3)
add(3, "Lake")
waits(4)
bob.choose(5).named("Add to favorites").click()
waits(5)
bob.check("offline-changes")
bob.choose(4).named("Add to album").click()
bob.until(lambda: bob.all("#offline-albums[open]")).check("offline-albums")
bob.all("#offline-cancel")[0].click()
bob.all("#clear")[0].click()
open_album(bob, "Lake")
bob.choose(0).named("Remove from album").click()
waits(6)
bob.until(lambda: bob.all(".grid .leaving"), "the photo does not leave")
bob.go("/library/favorites").until(lambda: bar().startswith(BAR))
bob.go("/library/albums").until(lambda: bar().startswith(BAR))
bob.go("/library?q=lake").has("You are offline", "not kept in this browser").check("offline-message")
offered = lambda: [link.text for link in bob.all("#kept a") if link.is_displayed()]
bob.until(lambda: offered() == ["Photos", "Albums", "Favorites", "Archive"], "kept pages are not offered")
bob.driver.execute_async_script("""const done = arguments[0]; (async () => {
    for (const name of await caches.keys()) await (await caches.open(name)).delete("/library/archive?");
    done();
})()""")
bob.go("/library/trash").has("not kept in this browser", "Your account, the trash and originals need a connection.")
bob.until(lambda: offered() == ["Photos", "Albums", "Favorites"], "a page that is not kept is offered")
bob.press("Photos").until(lambda: bar().startswith(BAR))

# An account page says that it needs a connection.
bob.go("/account/devices").has("not kept in this browser").is_at("/library/offline#/account/devices")

# With the connection the current page replaces the kept one; pictures that are kept are not fetched again.
bob.go("/library")
first = bob.driver.current_window_handle
bob.driver.switch_to.new_window("tab")
bob.go("/account").is_at("/library/offline#/account")
bob.driver.switch_to.new_window("tab")
bob.go("/library")
waits(6)
other = Browser()
other.go("/sign-in").press("Sign in with Apple").press("bob")
open_album(other, "Gone").press("Edit album").press("Delete album").press("Delete album").has("Album deleted")
other.go("/library").choose(5).press("Move to trash").has_soon("1 item moved to trash")
known = {each.rsplit("/", 1)[-1] for each in kept("pictures")}
relay.requests.clear()
relay.start()
tabs = bob.driver.window_handles
def notices():
    found = []
    for each in bob.driver.window_handles:
        bob.driver.switch_to.window(each)
        found.append(bar())
    return found
bob.until(lambda: any("Changes sent: 4." in (each or "") for each in notices()), "nothing is sent")
bob.until(lambda: notices().count(None) == 2, "another tab stays offline")
notice = next(each for each in notices() if each)
assert "The album “Gone” no longer exists, so its changes were not made." in notice, notice
assert "no longer in your library: 1." in notice, notice
posts = ["/library/albums/add", "/library/albums/add", "/library/albums/remove", "/library/favorites"]
assert sent() == posts, sent()
assert not kept("changes")
other.go("/library/favorites")
assert len(other.pictures()) == 1 and other.pictures()[0].startswith("large.png"), other.pictures()
open_album(other, "Lake")
assert [alt[:7] for alt in other.pictures()] == ["large.p", "002.png"], other.pictures()
other.close()
for each in tabs:
    bob.driver.switch_to.window(each)
    if bob.path == "/account":
        bob.driver.close()
bob.driver.switch_to.window(first)
bob.until(lambda: bar() is None or "offline" not in bar(), "the bar stays").has_not("needs a connection").pictures()
again = [path for method, _, path in relay.requests if "/thumbnails/" in path and path.rsplit("/", 1)[-1] in known]
assert not again, again
assert bob.all("#chosen input[name=form_token]")[0].get_attribute("value")

# A change is also kept if the server does not answer and the browser has not noticed, and is sent once it does.
other = Browser()
other.go("/sign-in").press("Sign in with Apple").press("bob")


def fails(how, path=None):
    """Makes requests fail: of forms with a path, or all."""
    relay.failure = lambda method, asked: how if not path or (method == "POST" and asked == path) else None


def settles():
    """Lets all requests succeed, and waits until no change is kept."""
    relay.failure = lambda method, path: None
    if relay.is_stopped:
        relay.start()
    waiting = ["offline", "needs a connection"]
    bob.until(lambda: not kept("changes") and not any(each in (bar() or "") for each in waiting), "changes are not sent")
    return bob


def hearts():
    return len(bob.all(".grid .favorite"))


bob.go("/library").pictures()
relay.requests.clear()
relay.stop()
bob.script("window.isSame = true")
bob.choose(6).named("Add to favorites").click()
waits(1)
bob.is_at("/library").until(lambda: hearts() == 2 and not bob.all(".grid :checked"), "the photo has no heart")
settles().until(lambda: "Changes sent: 1." in (bar() or ""), "no notice")
assert sent() == ["/library/favorites"] and bob.script("return window.isSame"), sent()

# The page that stays shows what the server has: a photo of a waiting change was moved to the trash elsewhere.
relay.stop()
bob.choose(7).named("Add to favorites").click()
waits(1)
gone = bob.all(".grid img")[7].get_attribute("alt")
other.go("/library").choose(7).press("Move to trash").has_soon("1 item moved to trash")
bob.choose(60)
bob.script("document.querySelectorAll('.grid a')[60].focus({ preventScroll: true })")
top = lambda: bob.script("return document.querySelector('.grid :checked').getBoundingClientRect().top")
before = top()
settles().until(lambda: not bob.all(f".grid img[alt='{gone}']"), "the photo stays")
bob.until(lambda: len(bob.all(".grid :checked")) == 1, "the selection is lost")
# The photos after the one that is gone may be in other rows.
assert abs(top() - before) < 300 and bob.script("return scrollY > 300"), (before, top())
bob.script("scrollTo(0, 0)")
bob.until(lambda: hearts() == 2, "the photo that is gone has a heart")
assert bob.script("return window.isSame"), "the page is another one"
assert bob.script("return document.activeElement.closest('li').querySelector(':checked') !== null"), "the focus is lost"
bob.until(lambda: "no longer in your library: 1." in (bar() or "")).named("Close").click()
bob.all("#clear")[0].click()

# The server answered and the answer was lost, or another network answered: the same again changes nothing.
for kind, name, count in [("lost", "009.png", 3), ("foreign", "019.png", 4)]:
    fails(kind, "/library/favorites")
    relay.requests.clear()
    shown = bob.script("return Array.from(document.querySelectorAll('.grid img'), image => image.alt.slice(0, 7))")
    bob.choose(shown.index(name)).named("Add to favorites").click()
    waits(1)
    settles()
    assert set(sent()) == {"/library/favorites"} and len(sent()) >= 2, sent()
    other.go("/library/favorites")
    assert len(other.pictures()) == count, other.pictures()

# The same while the person waits, on the page of a photo. A heart is filled at once.
bob.go(bob.script("return document.querySelectorAll('.grid a')[9].href")).until(lambda: bob.all("#favorite"))
fails("silent", "/library/favorites")
bob.all("#favorite")[0].click()
bob.until(lambda: heart() == "true", "the heart is not filled")
waits(1)
settles().until(lambda: heart() == "true")
relay.requests.clear()
address = bob.path
bob.all("#favorite")[0].click()
bob.until(lambda: heart() == "false" and sent() == ["/library/favorites"] and not kept("changes"), "the heart stays")
assert bob.path == address and bar() in (None, "Changes sent: 1."), bar()

# The undo of a move to the trash needs a connection, and says so.
bob.go("/library").until(lambda: bob.all(".grid a"))
bob.go(bob.script("return document.querySelectorAll('.grid a')[9].href")).until(lambda: bob.all("#single button"))
trashed = bob.title
bob.all("#single button")[0].click()
bob.until(lambda: bob.all(".toast") and bob.title != trashed, "the photo is not moved to the trash")
relay.stop()
bob.named("Undo").click()
bob.until(lambda: "needs a connection" in (bar() or ""), "a failed undo is silent")
settles().named("Undo").click()
bob.until(lambda: bob.title == trashed, "the photo is not back")

# Adding to an album: the page that asks for it may not open, or its answer may be lost.
for at in ["library", "question"]:
    bob.go("/library").pictures()
    if at == "library":
        relay.stop()
        add(2, "Lake")
    else:
        bob.choose(2).press("Add to album").is_at("/library").check("offline-question")
        relay.stop()
        next(each for each in bob.all("#question .choices button") if "Lake" in each.text).click()
        bob.until(lambda: not bob.all("#question[open]"), "the question stays")
    bob.until(lambda: bob.path.split("?")[0] == "/library", "the question stays")
    waits(1)
    settles()
open_album(bob, "Lake").pictures()
assert len(bob.all(".grid li")) == 3, bob.pictures()

# An act that is not kept says so although the browser has not noticed, also behind and in a question.
bob.go("/library").pictures()
bob.choose(2).script("window.isSame = true")
for act in ["Move to trash", "Share"]:
    relay.stop()
    bob.named(act).click()
    bob.until(lambda: "needs a connection" in (bar() or ""), f"{act} is silent")
    settles()
bob.press("Share").has("1 selected")
relay.stop()
bob.named("Create link").click()
bob.has_soon("needs a connection").check("offline-share")
relay.start()
bob.until(lambda: "connection" not in bob.text, "the question stays offline").press("Create link").has("Link created")
bob.named("Close").click()
bob.until(lambda: not bob.all(".grid :checked"), "the selection stays").is_at("/library")
assert bob.script("return window.isSame"), "the page is another one"

# An act without an answer may have been made: its photo comes back, and the page shows what the server has. Chromium
# sends a silent request again when its connection ends, also after the page has given it up: it is the last one.
bob.go("/library").pictures()
bob.script("window.isSame = true")
for kind in ["foreign", "lost", "silent"]:
    fails(kind, "/library/trash")
    photo = bob.script("return document.querySelectorAll('.grid input')[20].name")
    bob.choose(20).named("Move to trash").click()
    if kind == "silent":
        bob.until(lambda: bob.all(".grid .leaving") and not bob.all(".choosing"), "the photo does not leave")
        bob.has_soon("Waiting for the server")
    if kind != "lost":
        bob.until(lambda: "may have been made" in (bar() or ""), f"{kind} is silent")
        assert not bob.all(".leaving, .toast") and [each.get_attribute("name") for each in bob.all(".grid :checked")] == [photo]
    is_made = kind == "lost"
    is_here = lambda: photo in bob.script(
        "return Array.from(document.querySelectorAll('.grid input'), each => each.name)")
    bob.until(lambda: bar() is None and is_here() != is_made, f"the state after {kind} is not shown")
    assert len(bob.all(".grid :checked")) == (not is_made) == bool(bob.all(".choosing"))
    settles()
    if not is_made:
        bob.all("#clear")[0].click()
assert bob.script("return window.isSame"), "the page is another one"

# A photo that left an album is gone without another page, in each tab.
open_album(bob, "Lake").pictures()
first = bob.driver.current_window_handle
bob.driver.switch_to.new_window("tab")
open_album(bob, "Lake").pictures()
relay.stop()
bob.choose(1).named("Remove from album").click()
waits(1)
second = bob.driver.current_window_handle
bob.driver.switch_to.window(first)
bob.until(lambda: bob.all(".grid .leaving"), "the photo does not leave in another tab")
settles().until(lambda: len(bob.all(".grid li")) == 2 and not bob.all(".grid .leaving"), "the photo stays")
bob.driver.switch_to.window(second)
bob.until(lambda: len(bob.all(".grid li")) == 2 and not bob.all(".grid .leaving"), "the photo stays in another tab")
bob.driver.close()
bob.driver.switch_to.window(first)

# A kept page is replaced by the current one, with the selection.
relay.stop()
bob.go("/library").until(bar).choose(3)
settles().until(lambda: bob.all("#chosen input[name=form_token]")[0].get_attribute("value"), "the kept page stays")
bob.until(lambda: len(bob.all(".grid :checked")) == 1, "the selection is lost")
bob.all("#clear")[0].click()

# At a zoom of 400 % the bar is one line with its details behind a button.
bob.go("/library").pictures()
relay.stop()
bob.choose(13).named("Add to favorites").click()
waits(1)
bob.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
    "width": 320, "height": 256, "deviceScaleFactor": 1, "mobile": False})
height = lambda: bob.script("return document.querySelector('#offline').offsetHeight")
more = bob.all("#offline-more")[0]
bob.until(lambda: more.is_displayed() and height() <= 40, "the bar is not one line")
assert not bob.all("#offline-discard")[0].is_displayed()
assert f"{WAITING}1." in bob.all("#offline p")[0].get_property("textContent")
more.send_keys(Keys.ENTER)
bob.until(lambda: bob.all("#offline-discard")[0].is_displayed(), "no details")
assert more.get_attribute("aria-expanded") == "true" and height() <= 128, height()
more.send_keys(Keys.ENTER)
bob.until(lambda: height() <= 40).check("offline-low")
settles()

# Signing out elsewhere while changes wait deletes them, and the page that made them sends nothing.
fails("silent", "/library/favorites")
bob.go("/library").choose(14).named("Add to favorites").click()
waits(1)
bob.driver.switch_to.new_window("tab")
bob.go("/account").menu("Sign out").is_at("/").driver.close()
bob.driver.switch_to.window(first)
relay.failure = lambda method, path: None
relay.requests.clear()
bob.until(lambda: bob.path.startswith("/sign-in"), "no sign-in")
nothing_is_kept()
other.go("/library/favorites")
count = len(other.pictures())
sign_in("bob")
choose("on")
read(1)
assert len(other.go("/library/favorites").pictures()) == count

# A session that ended elsewhere sends nothing, either.
relay.stop()
bob.choose(16).named("Add to favorites").click()
waits(1)
other.go("/account/devices").press("Sign out everywhere").press("Sign out everywhere").close()
relay.requests.clear()
relay.start()
bob.until(lambda: "/library/albums" in [path for _, _, path in relay.requests], "the server is not asked")
assert sent() == [], sent()
bob.go("/library").is_at("/sign-in")
nothing_is_kept()
sign_in("bob")
choose("on")
read(1)

# Signing out deletes everything, also for other tabs.
tab = bob.driver.current_window_handle
bob.driver.switch_to.new_window("tab")
bob.go("/account").menu("Sign out").is_at("/")
bob.driver.close()
bob.driver.switch_to.window(tab)
nothing_is_kept()
assert not bob.driver.execute_async_script(
    "navigator.serviceWorker.getRegistrations().then(all => arguments[0](all.map(each => each.scope)))")
relay.stop()
try:
    bob.go("/library")
    shown = bob.driver.page_source
except Exception as error:
    shown = str(error)
assert "large.png" not in shown and "thumbnails/" not in shown, shown
relay.start()

# A session that ended elsewhere deletes everything at the next page, and so does another account.
for end in ["elsewhere", "alice"]:
    sign_in("bob")
    choose("on")
    read(1)
    if end == "elsewhere":
        other = Browser()
        other.go("/sign-in").press("Sign in with Apple").press("bob").go("/account/devices")
        other.press("Sign out everywhere").press("Sign out everywhere").close()
        bob.go("/library").is_at("/sign-in")
    else:
        owner = [name for name in caches() if name.startswith("pages:")]
        is_offline(True)
        bob.until(bar).choose(1).named("Add to favorites").click()
        waits(1)
        bob.driver.delete_cookie("__Host-photolala-session")
        relay.requests.clear()
        bob.driver.switch_to.new_window("tab")
        sign_in("alice", "create-account", "Create account with Apple")
        assert owner and not set(owner) & set(caches()) and not kept("changes"), caches()
        choose("on")
        bob.go("/library").until(lambda: "/library?" in kept("pages"), "alice's library is not kept")
        [pages] = [name for name in caches() if name.startswith("pages:")]
        changes = "changes:" + pages.split(":")[1]
        bob.driver.execute_async_script("caches.open(arguments[0]).then(arguments[1])", changes)
        # The page of bob, which is still open, sends nothing for alice, keeps nothing more, and deletes none of her changes.
        alice = bob.driver.current_window_handle
        bob.driver.switch_to.window(tab)
        bob.choose(2).named("Add to favorites").click()
        bob.until(lambda: "needs a connection" in bar(), "a change of another account is kept")
        assert changes in caches(), caches()
        is_offline(False)
        bob.until(lambda: bar() is None, "the page is still offline")
        assert not kept("changes") and "/library/favorites" not in sent(), sent()
        bob.driver.switch_to.window(alice)
        choose("off")
    bob.go("/")
    nothing_is_kept()
bob.close()
print("DONE")
