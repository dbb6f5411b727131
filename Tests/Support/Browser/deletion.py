"""Bob deletes his account, keeps it, deletes it again and looks at the status, in all languages."""
import json, pathlib, re
import portal
from portal import Browser

TEXTS = json.loads(pathlib.Path(portal.__file__).parents[3].joinpath("Sources/Localization/Resources/texts.json").read_text())


def words_of(language):
    """The texts that the journey reads and presses; of one with a date, the longest part without it."""
    def text(key):
        return max(re.split(r"\{[a-z]+\}", TEXTS[key][language].replace("{provider}", "Apple")), key=len).strip()

    return {"create": text("create_with"), "delete": text("delete_title"), "confirm": text("sign_in_with"),
            "keep": text("keep_account"), "status": text("deletion_title"), "show": text("show_status"),
            "undo": text("cancel_deletion"), "wrong": text("delete_type_wrong"), "scheduled": text("deleting_soon"),
            "ends": text("deletion_state_scheduled"), "kept": text("deletion_undone"), "unknown": text("code_unknown")}


def codes(browser):
    found = [element.text for element in browser.all("code.code")]
    assert len(found) == 2 and all(re.fullmatch("[0-9a-f]{100,}", code) for code in found), found
    for code in found:
        # It is a text, and what the button copies.
        assert browser.driver.page_source.count(code) == 2 and code not in browser.driver.current_url
    return found


def submit(browser, name, code, button):
    browser.fill(name, code).press(button).is_at("/deletion")
    assert code not in browser.driver.current_url


for language in ["en", "de", "ja", "ko", "es"]:
    words = words_of(language)
    person = f"bob-{language}"
    bob = Browser(language=language)

    def sign_in(button):
        bob.press(button).until(lambda: bob.all("input[name=email]"))
        bob.fill("name", person).all("button[value=other]")[0].click()

    def delete():
        bob.press(words["delete"]).is_at("/account/delete").fill("confirmation", "DELETE").press(words["delete"])
        assert "__Host-photolala-session" not in bob.cookies()
        bob.has(words["scheduled"])

    bob.go("/create-account")
    sign_in(words["create"])
    bob.arrives("/library").go("/account").check(f"account-to-delete-{language}")
    bob.press(words["delete"]).is_at("/account/delete").check(f"delete-{language}")
    bob.fill("confirmation", "delete").press(words["delete"]).has(words["wrong"]).check(f"delete-wrong-{language}")
    bob.go("/account")
    delete()
    bob.check(f"deletion-scheduled-{language}")
    bob.all("#copy-undo")[0].click()
    bob.has_soon(TEXTS["share_copied"][language])
    undo, receipt = codes(bob)
    bob.go("/account").is_at("/sign-in")
    sign_in(words["confirm"])
    bob.arrives("/account").has(words["scheduled"]).check(f"account-deleting-{language}")
    bob.go("/library").has(words["scheduled"]).check(f"library-deleting-{language}")
    bob.press(words["keep"]).is_at("/account").press(words["keep"]).is_at("/account").has(words["kept"])
    bob.has_not(words["keep"]).check(f"account-kept-{language}")
    # The earlier deletion's undo code is no longer valid.
    delete()
    (second, receipt), first = codes(bob), undo
    bob.press(words["status"]).is_at("/deletion").check(f"deletion-{language}")
    submit(bob, "undo_code", first, words["undo"])
    bob.has(words["unknown"]).check(f"deletion-unknown-{language}")
    submit(bob, "receipt_code", receipt, words["show"])
    bob.has(words["ends"]).check(f"deletion-status-{language}")
    submit(bob, "undo_code", second, words["undo"])
    bob.has(words["kept"])
    bob.go("/account").is_at("/sign-in")
    sign_in(words["confirm"])
    bob.arrives("/account").has_not(words["keep"]).close()
print("DONE")
