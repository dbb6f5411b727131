"""Bob uploads long videos, which resume from their parts after an interruption and go on while he browses."""
import json, os, pathlib
import requests
from pictures import long, png
from portal import Browser
from selenium.webdriver.common.keys import Keys

PART = 8 << 20

os.chdir(os.environ["HOME"])
FOLDER = pathlib.Path("pictures")


def unfinished():
    """Returns the uploads that the browser remembers."""
    return list(json.loads(bob.script("return localStorage.getItem('uploads')") or "{}").values())


def sent():
    """Returns the numbers of the parts that this page sent, each time that it did."""
    names = bob.script("return performance.getEntriesByType('resource').map(entry => entry.name)")
    return [int(name.split("partNumber=")[1].split("&")[0]) for name in names if "partNumber=" in name]


def interrupt(file):
    """Uploads the first two parts of a file."""
    bob.go("/library").blocks("*partNumber=3&*").bring([file])
    bob.until(lambda: len(unfinished()) == 1 and sorted(unfinished()[0]["tags"]) == ["1", "2"], "two parts are not sent")
    # The third part is repeated alone.
    bob.until(lambda: sent().count(3) >= 2, "the part is not repeated")
    assert sorted(set(sent())) == [1, 2, 3] and sent().count(1) == sent().count(2) == 1, sent()


def close():
    """Closes the page in the middle of an upload, and opens another one."""
    old = bob.driver.current_window_handle
    bob.driver.switch_to.new_window("tab")
    new = bob.driver.current_window_handle
    bob.driver.switch_to.window(old)
    bob.driver.close()
    bob.driver.switch_to.window(new)
    bob.go("/library")


def is_stored(file):
    """Checks that the newest photo has the bytes of a file."""
    bob.go("/library").all("#timeline a")[0].click()
    bob.arrives("/library/photo")
    answer = requests.get(bob.named("Download").get_attribute("href"), cookies=bob.cookie_values())
    assert answer.content == pathlib.Path(file).read_bytes(), len(answer.content)


bob = Browser()
bob.go("/create-account").press("Create account with Apple").press("bob").is_at("/library")

# A file that is chosen again after the page was closed continues with the missing parts.
film = long(FOLDER / "film.png", 1, 60 << 20)
interrupt(film)
close()
notice = bob.all("#interrupted")[0]
bob.has_soon("Upload of film.png was interrupted. Choose the same file again to continue.").check("upload-interrupted")
# The notice is shown once.
bob.go("/library").until(lambda: bob.script("return JSON.parse(localStorage.uploads) !== null"))
assert not bob.all("#interrupted")[0].is_displayed()
bob.bring([film]).has_soon("1 photo uploaded.")
assert sent() == [3, 4, 5, 6, 7, 8], sent()
assert unfinished() == [], unfinished()
is_stored(film)

# The parts of a file that changed are not used.
changed = long(FOLDER / "changed.png", 2)
interrupt(changed)
close()
bob.has_soon("Upload of changed.png was interrupted.").all("#interrupted button")[0].click()
assert not bob.all("#interrupted")[0].is_displayed()
with open(changed, "r+b") as file:
    file.seek(PART - 3)
    file.write(b"changed")
bob.bring([changed]).has_soon("1 photo uploaded.")
assert sent() == [1, 2, 3, 4, 5], sent()
is_stored(changed)
bob.script("localStorage.clear()")

# A cancelled upload is removed from the browser and from the store, and starts again without an error.
cancelled = long(FOLDER / "cancelled.png", 3)
interrupt(cancelled)
record = bob.script("return localStorage.getItem('uploads')")
bob.named("Cancel").click()
bob.until(lambda: unfinished() == [], "the upload is remembered")
bob.until(lambda: bob.script("return performance.getEntriesByType('resource').filter("
                             "({ name, responseEnd }) => responseEnd > 0 && /\\?.*uploadId=/.test(name)"
                             " && !name.includes('partNumber=')).length") == 1, "the parts are not removed")
close()
bob.script(f"localStorage.setItem('uploads', {json.dumps(record)})")
bob.bring([cancelled]).has_soon("1 photo uploaded.")
assert sent() == [3, 1, 2, 3, 4, 5], sent()
bob.has_not("Retrying", "failed")
is_stored(cancelled)

# Paused uploads go on with the missing parts in the same page, and signing out removes what the browser remembers.
left = long(FOLDER / "left.png", 4)
interrupt(left)
bob.named("Pause").click()
bob.has_soon("Paused.").until(lambda: bob.lines("#upload-files") == ["left.png Waiting"], "the photo is not waiting")
bob.blocks().named("Resume").click()
bob.has_soon("1 photo uploaded.")
assert sent().count(1) == sent().count(2) == 1, sent()

# The upload goes on while Bob browses: pages of the library are in a frame, and the tab shows their titles.
def frame():
    """Switches to the frame."""
    bob.driver.switch_to.default_content()
    bob.driver.switch_to.frame(bob.until(lambda: bob.all("iframe.browsing"), "there is no frame").all("iframe")[0])
    return bob


def shows(path, title):
    """Waits until the frame shows a page, and moves into it."""
    bob.driver.switch_to.default_content()
    # The title of a photo begins with its date.
    is_shown = lambda: bob.path.split("?")[0] == path and bob.driver.title.endswith(f"{title} · Photolala")
    bob.until(is_shown, f"no {path}")
    bob.until(lambda: bob.all("iframe.browsing"), "there is no frame")
    frame().until(lambda: bob.script("return document.readyState") == "complete")
    return bob


def panel():
    """Returns the text of the panel, which is outside of the frame."""
    bob.driver.switch_to.default_content()
    return bob.all("#upload")[0].text


bob.go("/library").slow(1 << 17).bring([long(FOLDER / "slow.png", 6)])
bob.until(lambda: bob.lines("#upload-files") == ["slow.png Uploading"], "nothing is sent")
bob.named("Albums").click()
shows("/library/albums", "Albums")
assert bob.script("return document.activeElement.textContent") == "Albums"
assert not bob.all("#upload")[0].is_displayed()
bob.driver.switch_to.default_content()
bob.check("upload-browsing")
# The panel is at the bottom, above the notices of the frame's page.
below = lambda: round(bob.script("return innerHeight - document.querySelector('#upload').getBoundingClientRect().bottom"))
assert below() == 16, below()
notice = "const main = document.querySelector('.browsing').contentDocument.querySelector('main');"
bob.script(notice + "main.append(Object.assign(document.createElement('div'), { className: 'toast' }))")
bob.until(lambda: below() == 96, "the panel covers a notice").script(notice + "main.querySelector('.toast').remove()")
bob.until(lambda: below() == 16, "the panel stays above")
frame().named("New album").click()
frame().until(lambda: bob.all("#question[open] [name=name]")).fill("name", "Trip").named("Create").click()
shows("/library", "Trip").all(".search input")[0].send_keys("film" + Keys.ENTER)
shows("/library", "film").all("#timeline a")[0].click()
shows("/library/photo", "film.png").all("#back")[0].click()
shows("/library", "film").named("Photos").click()
# Files that are chosen or dropped on a page of the frame are uploaded, too.
shows("/library", "Your photos").bring([png(FOLDER / "chosen.png", (9, 200, 90))])
frame().script("""const files = new DataTransfer();
    files.items.add(new File(["text"], "dropped.txt"));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true }));""")
bob.until(lambda: "of 3" in panel(), "the files are not added")
# Going back leads through these pages to the one that uploads, and forward again to the frame.
for path, title in [("/library", "film"), ("/library/photo", "film.png"), ("/library", "film"), ("/library", "Trip"),
                    ("/library/albums", "Albums")]:
    bob.driver.back()
    shows(path, title)
bob.driver.back()
bob.driver.switch_to.default_content()
bob.until(lambda: not bob.all("iframe.browsing"), "the frame stays").is_at("/library")
bob.driver.forward()
# In another language, going back shows the page that uploads in the frame.
shows("/library/albums", "Albums").script("document.querySelector('[name=language][value=de]').click()")
for _ in range(2):
    shows("/library/albums", "Alben").driver.back()
shows("/library", "Deine Fotos").script("document.querySelector('[name=language][value=en]').click()")
shows("/library", "Your photos").named("Trash").click()
# Pages of the account open in another tab.
shows("/library/trash", "Trash").all(".storage a")[0].click()
bob.until(lambda: len(bob.driver.window_handles) == 2, "no tab opens")
tab, = set(bob.driver.window_handles) - {bob.driver.current_window_handle}
here = bob.driver.current_window_handle
bob.driver.switch_to.window(tab)
bob.arrives("/account").driver.close()
bob.driver.switch_to.window(here)
# Other pages leave the frame, after the browser's own question.
shows("/library/trash", "Trash").driver.switch_to.default_content()
asks = "const event = new Event('beforeunload', { cancelable: true }); return !dispatchEvent(event)"
assert bob.script(asks)
# When the session ends, the frame shows the sign-in, and the panel offers it in another tab.
session = bob.driver.get_cookie("__Host-photolala-session")
bob.driver.delete_cookie("__Host-photolala-session")
frame().named("Favorites").click()
shows("/library/trash", "Sign in").driver.switch_to.default_content()
bob.driver.add_cookie(session)
frame().driver.back()
# After the upload, the next page is an ordinary one.
bob.driver.switch_to.default_content()
bob.slow(-1).until(lambda: "2 photos uploaded · 1 file was not added" in panel(), "the upload does not end")
assert not bob.script(asks)
shows("/library/trash", "Trash").named("Favorites").click()
bob.driver.switch_to.default_content()
bob.until(lambda: not bob.all("iframe.browsing") and bob.title == "Favorites", "the frame stays").is_at("/library/favorites")

# It does not go on in the library of another account that signs in during it.
interrupt(long(FOLDER / "account.png", 7))
uploading = bob.driver.current_window_handle
bob.choose(0).press("Add to album")
for button in bob.all("#question .new"):
    button.click()
bob.fill("name", "Unsent").driver.switch_to.new_window("tab")
bob.go("/library").menu("Sign out").is_at("/").driver.switch_to.window(uploading)
bob.until(lambda: bob.all("#signed-out")[0].is_displayed(), "the page stays without a session")
assert not bob.all("#question[open]") and not bob.all("#question-body *")
# The dialog that was open is there again with what was typed when the same account has signed in.
bob.driver.switch_to.window(bob.driver.window_handles[-1])
bob.go("/sign-in").press("Sign in with Apple").press("bob").is_at("/library").driver.switch_to.window(uploading)
bob.until(lambda: bob.all("#question[open] [name=name]"), "the dialog does not open again")
assert bob.driver.find_element("name", "name").get_attribute("value") == "Unsent"
bob.press("Create").has_soon("1 item added to “Unsent”")
bob.driver.switch_to.window(bob.driver.window_handles[-1])
bob.go("/library").menu("Sign out").is_at("/").go("/create-account").press("Create account with Apple").press("alice")
bob.driver.close()
bob.driver.switch_to.window(uploading)
# The page that uploads shows nothing but its panel and the way to the sign-in.
bob.until(lambda: bob.all("#signed-out")[0].is_displayed(), "the page of another account stays")
assert not any(each.is_displayed() for each in bob.all(".grid img, .rail a, .top button, #upload-files li")), bob.text
refused = lambda: "You were signed out. Sign in, then try again." in panel()
bob.blocks().until(refused, "the upload goes on")
asked = "return performance.getEntriesByName(location.origin + '/library/uploads').length"
before = bob.script(asked)
bob.named("Try again").click()
bob.until(lambda: bob.script(asked) > before, "nothing was tried").until(refused, "the upload goes on")
bob.driver.switch_to.new_window("tab")
assert bob.go("/library").all("#nothing")
bob.menu("Sign out").is_at("/")
bob.go("/sign-in").press("Sign in with Apple").press("bob").is_at("/library").driver.close()
bob.driver.switch_to.window(uploading)
bob.until(lambda: not bob.all("#signed-out")[0].is_displayed(), "the page stays hidden after signing in again")
assert all(each.is_displayed() for each in bob.all(".grid img")[:2])
bob.named("Try again").click()
bob.has_soon("1 photo uploaded.")

interrupt(long(FOLDER / "other.png", 5))
close()
bob.menu("Sign out").is_at("/")
bob.go("/sign-in").press("Sign in with Apple").press("bob").is_at("/library")
assert unfinished() == [], unfinished()
bob.close()
print("DONE")
