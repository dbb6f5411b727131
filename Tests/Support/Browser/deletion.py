"""Bob deletes his account, keeps it, deletes it again and looks at the status, in two languages."""
import re
from portal import Browser

WORDS = {
    "en": {"create": "Create account with Apple", "delete": "Delete account", "confirm": "Sign in with Apple",
           "keep": "Keep my account", "status": "Deletion status", "show": "Show status",
           "undo": "Cancel deletion", "wrong": "The text doesn’t match.", "scheduled": "will be deleted on",
           "kept": "The deletion was cancelled.", "unknown": "This code is not valid or has expired."},
    "de": {"create": "Konto mit Apple erstellen", "delete": "Konto löschen", "confirm": "Mit Apple anmelden",
           "keep": "Mein Konto behalten", "status": "Stand der Löschung",
           "show": "Stand anzeigen", "undo": "Löschung abbrechen", "wrong": "Der Text stimmt nicht überein.",
           "scheduled": "gelöscht", "kept": "Die Löschung wurde abgebrochen.",
           "unknown": "Dieser Code ist ungültig oder abgelaufen."},
}


def codes(browser):
    found = [element.text for element in browser.all("code.code")]
    assert len(found) == 2 and all(re.fullmatch("[0-9a-f]{100,}", code) for code in found), found
    for code in found:
        assert browser.driver.page_source.count(code) == 1 and code not in browser.driver.current_url
    return found


def submit(browser, name, code, button):
    browser.fill(name, code).press(button).is_at("/deletion")
    assert code not in browser.driver.current_url


for language, words in WORDS.items():
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
    bob.arrives("/account").check(f"account-to-delete-{language}")
    bob.press(words["delete"]).is_at("/account/delete").check(f"delete-{language}")
    bob.fill("confirmation", "delete").press(words["delete"]).has(words["wrong"]).check(f"delete-wrong-{language}")
    bob.go("/account")
    delete()
    bob.check(f"deletion-scheduled-{language}")
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
    bob.has(words["scheduled"]).check(f"deletion-status-{language}")
    submit(bob, "undo_code", second, words["undo"])
    bob.has(words["kept"])
    bob.go("/account").is_at("/sign-in")
    sign_in(words["confirm"])
    bob.arrives("/account").has_not(words["keep"]).close()
print("DONE")
