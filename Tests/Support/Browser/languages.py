"""The portal in German, which has the longest words: complete and accessible. With screenshots in all languages, with
titles that differ, and compared with golden images."""
import os, pathlib, re
import requests
from pictures import exif, long, png, with_exif
from portal import SERVER, SHOTS, Browser

TITLES = {"de": "Anmelden", "ja": "サインイン", "ko": "로그인", "es": "Iniciar sesión"}
PAGES = {"account": "/account", "links": "/account/links", "devices": "/account/devices",
         "activity": "/account/activity", "confirm": "/account/confirm", "device-code": "/device",
         "delete": "/account/delete", "export": "/account/data", "deletion": "/deletion",
         "authorize-cli": "/authorize?response_type=code&client_id=photolala&device_platform=Linux"
                          "&redirect_uri=http://127.0.0.1:9/callback&code_challenge_method=S256"
                          "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
         "library-empty": "/library", "trash-empty": "/library/trash", "favorites-empty": "/library/favorites", "archive-empty": "/library/archive", "albums-empty": "/library/albums",
         "places-empty": "/library/places",
         "search-empty": "/library?kind=raw"}
# After one photo became a favorite, and another one, of another camera, was archived.
FILLED = {"favorites": "/library/favorites", "archive": "/library/archive", "places": "/library/places",
          "search": "/library?q=png",
          "search-filtered": "/library?q=png&kind=photo&favorites=1&camera=Maker%20Camera%201"}
MARCH = 1710072000
languages = ["en", "de", "ja", "ko", "es"] if SHOTS else ["de"]
# Of the first language.
titles = {}
if SHOTS:
    from golden import Golden
    golden = Golden()
os.chdir(os.environ["HOME"])
for language in languages:
    browser = Browser(language=language)

    def glance(name):
        """Looks at a state of a page whose accessibility another walk checks."""
        assert browser.driver.find_element("tag name", "html").get_attribute("lang") == language
        text = browser.text
        assert not re.search(r"\{[a-z]+\}|\b[a-z]+_[a-z_]+\b", text), f"{name} in {language}:\n{text}"
        if SHOTS:
            golden.look(browser, name, language)

    def look(name):
        if language == languages[0]:
            titles[name] = browser.title
        elif name != "photo":
            assert browser.title != titles[name], f"{name} in {language} is in {languages[0]}"
        # Colours are the same in all languages.
        browser.check(f"{name}-{language}", ("light", "dark") if language == languages[0] else ("light",), shots=None)
        glance(name)

    def choose_provider(path, number=0):
        browser.go(path).all(".choices a")[number].click()
        return browser.until(lambda: browser.all("input[name=email]"))

    def sign_in_as(name):
        browser.fill("name", name).all("button[value=other]")[0].click()

    def submit(selector):
        browser.all(selector)[0].click()
        return browser

    browser.go("/sign-in")
    assert browser.title == TITLES.get(language, "Sign in"), browser.title
    look("sign-in")
    browser.go("/").is_at("/")
    look("welcome")
    browser.go("/create-account")
    look("create-account")
    choose_provider("/create-account").press("Cancel")
    look("sign-in-cancelled")
    choose_provider("/sign-in")
    sign_in_as(f"person-{language}")
    browser.arrives("/no-account/")
    look("no-account")
    submit("form[action='/create-account'] button").arrives("/library")
    for name, path in PAGES.items():
        browser.go(path).is_at(path.split("?")[0])
        look(name)
    browser.go("/account/devices")
    if SHOTS:
        golden.check_line(browser.driver, ".cards { border-color: transparent !important }")
    submit("form[action='/account/devices/remove'] button").until(lambda: browser.all("input[name=confirmed]"))
    look("question")
    code = requests.post(SERVER + "/device_authorization", data={"client_id": "photolala"}).json()["user_code"]
    browser.go("/device").fill("user_code", code)
    submit("form[action='/device'] button").until(lambda: not browser.all("input#user_code"))
    look("device-allow")
    submit("main form button").until(lambda: not browser.all("main form"))
    look("device-allowed")
    # Photos with names that are the same in all languages, a video that no browser plays, and a file that is refused.
    pictures = [with_exif(
        png(f"{number}.png", (number * 80, 100, 90), date=MARCH - number),
        exif((52.52, 13.405), make="Maker", model=f"Camera {1 + number // 3}")) for number in (1, 2, 3)]
    for name, content in [("4.avi", b"RIFF\xf8\x03\0\0AVI LIST" + bytes(1008)), ("notes.jpg", b"no picture at all")]:
        pathlib.Path(name).write_bytes(content)
        os.utime(name, (MARCH - 86400, MARCH - 86400))
    browser.go("/library").bring([*pictures, "4.avi", "notes.jpg"])
    browser.until(lambda: len(browser.all(".grid img")) == 4 and not browser.all("#upload-progress:not([hidden])"))
    look("library-uploaded")
    browser.go("/library").pictures()
    look("library")
    submit(".actions .round").until(lambda: browser.all("#account-menu:popover-open"))
    glance("library-menu")
    browser.go("/library")
    submit("#timeline a").arrives("/library/photo")
    look("photo")
    submit("#information").until(lambda: browser.all("#info .map") and browser.all("#details:not([hidden])"))
    glance("photo-info")
    # One photo becomes a favorite and another one is archived, without a page of its own.
    submit("#favorite").until(lambda: browser.all("#favorite[aria-pressed=true]"))
    submit("#information")
    for name in ("2.png", "3.png", "4.avi"):
        submit("a[rel=next]").until(lambda: browser.photo.startswith(name))
    browser.until(lambda: browser.all(".stage .notice"))
    glance("video-unplayable")
    submit("a[rel=prev]").until(lambda: browser.photo.startswith("3.png"))
    browser.script("document.querySelector('#archive-toggle').click()")
    browser.until(lambda: browser.photo.startswith("4.avi"))
    # An upload that stays as it is, and a page in the frame below its panel.
    browser.go("/library").pictures()
    browser.blocks("*X-Amz-Signature=*").bring([png("5.png", (240, 100, 90))])
    browser.until(lambda: browser.all("#upload-pause:not([hidden])"))
    submit("#upload-pause").until(lambda: browser.all("#upload-progress[hidden]"))
    browser.blocks()
    glance("upload-paused")
    submit(".rail a[href='/library/albums']").until(lambda: browser.all(".browsing"))
    glance("upload-browsing")
    submit("#upload-cancel").until(lambda: not browser.script(
        "return !dispatchEvent(new Event('beforeunload', { cancelable: true }))"))
    browser.go("/account/data")
    submit("form[action='/account/data'] button").until(lambda: browser.all("a[href='/account/data/download']"))
    look("export-created")
    browser.go("/account/activity")
    look("activity-exported")
    browser.go("/library").choose(0).choose(1).pictures()
    look("library-selected")
    submit("[formaction='/library/albums/add']").until(lambda: browser.all("input[name=target]"))
    look("album-choice")
    # The title of an album is the same in all languages.
    browser.fill("name", "Ocean")
    submit("#question .pair button:not([type])").until(lambda: browser.all("#done"))
    for name, path in FILLED.items():
        browser.go(path).pictures()
        glance(name)
    browser.go("/library/albums")
    glance("albums")
    submit(".albums li:not(.new) a").until(lambda: browser.title == "Ocean").pictures()
    glance("album")
    # The title of a link is the same in all languages.
    browser.go("/library").choose(0)
    submit("[formaction='/library/shared/new']").until(lambda: browser.all("input[name=title]"))
    browser.fill("title", "Ocean 2024").driver.find_element("name", "downloads").click()
    submit("#question .pair button:not([type])").until(lambda: browser.all("#address"))
    link, address = (browser.all(each)[0].get_attribute("value") for each in ("#question [name=link]", "#address"))
    glance("share-link")
    browser.go(address).pictures()
    glance("shared")
    submit(".grid a").until(lambda: browser.all("img.large"))
    glance("shared-photo")
    browser.go("/library").choose(0)
    submit("#chosen .bar button:not([type], [name], [formaction])").until(lambda: browser.all("#done"))
    browser.go(address)
    glance("shared-empty")
    browser.go(f"/library/shared/link?link={link}").fill("password", "correct horse")
    submit("main form .pair button").until(lambda: browser.all("[name=no_password]"))
    browser.go(address)
    glance("shared-password")
    browser.go("/s/nothing")
    glance("shared-gone")
    browser.go("/library/trash").pictures()
    look("trash")
    browser.choose(0)
    glance("trash-selected")
    browser.go("/library/trash")
    submit("#empty button").until(lambda: browser.all("input[name=confirmed]"))
    look("question-delete")
    browser.go("/nowhere-at-all")
    look("not-found")
    browser.driver.delete_all_cookies()
    choose_provider("/create-account")
    sign_in_as(f"person-{language}")
    browser.until(lambda: browser.path.split("?")[0] != "/create-account" and not browser.all("input[name=email]"))
    look("exists")
    browser.driver.delete_all_cookies()
    choose_provider("/sign-in", 1)
    sign_in_as(f"other-{language}")
    browser.arrives("/no-account/")
    submit(".choices a").until(lambda: browser.all("input[name=email]"))
    sign_in_as(f"person-{language}")
    browser.arrives("/account/pending")
    look("pending")
    submit("form[action='/account/link'] button").arrives("/account/links")
    submit("form[action='/account/unlink'] button").until(lambda: browser.all("input[name=confirmed]"))
    look("unlink-later")
    submit("#question button.danger").until(lambda: not browser.all("input[name=confirmed]"))
    look("unlink-pending")
    # The server allows 5 MB.
    browser.go("/library").bring([long("6.png", 6, 4_750_000)])
    browser.until(lambda: browser.all("#upload-close:not([hidden])"))
    browser.go("/account").until(lambda: browser.all(".segments.full"))
    look("account-full")
    browser.close()
if SHOTS:
    golden.finish()
print("DONE")
