import ArgumentParser
import Testing

@testable import photolala

@Suite("Names of commands") struct CommandNamesTests {
    @Test(
        "a mistyped command names the most similar one, if there is one",
        arguments: [
            (["bakup", "Photos"], "Unknown command “bakup”. Did you mean “backup”?"),
            (["statsu"], "Unknown command “statsu”. Did you mean “status”?"),
            (["service", "instal", "Photos"], "Unknown command “service instal”. Did you mean “service install”?"),
            (["photographs"], "Unknown command “photographs”."), ([""], "Unknown command “”."),
            (["album", ""], "Unknown command “album ”."),
            (["login"], "Unknown command “login”. Did you mean “signin”?"),
            (
                ["archive", "a.jpg"],
                "Unknown command “archive”. To hide photos from the portal's Photos page:  photolala hidden add PATH"
            ),
            (
                ["trash", "retore", "2023"],
                "Unknown command “trash retore”.\nDid you mean “trash restore”?\n"
                    + "For a path of this name:  photolala trash list retore"
            ),
            (
                ["import", "takout", "x.zip"],
                "Unknown command “import takout”.\nDid you mean “import takeout”?\n"
                    + "For a path of this name:  photolala import archive takout"
            ),
            (["--json", "list"], "Options belong after the command:  photolala list --json"),
            (
                ["--profile-dir", "trash", "--json", "trash", "put", "a.jpg"],
                "Options belong after the command:  photolala trash put --profile-dir trash --json a.jpg"
            ),
            (["album", "--json", "list"], "Options belong after the command:  photolala album list --json"),
            (
                ["--json", "album", "--server=x", "add", "--favorites", "Best"],
                "Options belong after the command:  photolala album add --json --server=x --favorites Best"
            ),
            (
                ["album", "--yes", "delete", "A B"],
                "Options belong after the command:  photolala album delete --yes 'A B'"
            ),
            (["trash", "--json", "purge"], "Options belong after the command:  photolala trash purge --json"),
            (
                ["album", "Rome"],
                """
                Unknown command “album Rome”.
                To list the photos of an album:  photolala list --album Rome
                To add photos to an album:       photolala album add Rome PATH
                """
            ),
            (
                ["share", "2023/a b.jpg"],
                """
                Unknown command “share 2023/a b.jpg”.
                To share an album:               photolala share create --album '2023/a b.jpg'
                To share photos and folders:     photolala share create '2023/a b.jpg'
                """
            ),
            (["help", "bakup"], "Unknown command “bakup”. Did you mean “backup”?"),
            (["help", "trash", "retore"], "Unknown command “trash retore”. Did you mean “trash restore”?"),
        ])
    func mistyped(_ arguments: [String], _ words: String) {
        let error = #expect(throws: ValidationError.self) { try CommandNames.check(arguments, of: Photolala.self) }
        #expect(error?.message == words)
    }

    @Test(
        "paths, options and words of commands are not commands",
        arguments: [
            [], ["backup", "bakup"], ["--version"], ["help"], ["help", "trash", "put"], ["trash", "a.jpg"],
            ["import", "my.zip"], ["trash", "list.jpg"], ["trash", "2023"],
            ["import", "exports/immch"], ["--help", "list"],
            ["trash", "put", "a.jpg"], ["service", "--help"], ["album", "--help", "list"], ["trash", "--name", "put"],
            ["trash", "list", "help"], ["album", "--json"],
        ])
    func others(_ arguments: [String]) throws { try CommandNames.check(arguments, of: Photolala.self) }

    @Test(
        "commands that others have name what does the same here",
        arguments: [
            (
                ["trash", "help"],
                "For help:  photolala trash --help\nFor a path of this name:  photolala trash list help"
            ),
            (["album", "help"], "For help:  photolala album --help"),
            (
                ["trash", "empty"],
                "To delete what is in the trash for good:  photolala trash purge\n"
                    + "For a path of this name:  photolala trash list empty"
            ),
            (["share", "rm", "x"], "To delete a link:  photolala share revoke LINK"),
            (
                ["import", "google", "x.zip"],
                "Did you mean “import takeout”?\nFor a path of this name:  photolala import archive google"
            ),
            (["unfavorite", "a.jpg"], "To make photos no favorites any more:  photolala favorite remove PATH"),
            (["favorite", "a.jpg"], "To make photos favorites:  photolala favorite add a.jpg"),
            (["devices", "3f0f"], "To sign a device out:  photolala devices remove 3f0f"),
            (
                ["import", "ente", "x"],
                "Did you mean “import ente-export”?\nFor a path of this name:  photolala import archive ente"
            ),
            (["favorite", "ad", "a.jpg"], "Did you mean “favorite add”?"),
            (["hidden", "a.jpg"], "To hide photos from the portal's Photos page:  photolala hidden add a.jpg"),
            (["unhide", "a.jpg"], "To show hidden photos again:  photolala hidden remove PATH"),
            (["ls"], "Did you mean “list”?"),
            (["rm", "a.jpg"], "To move photos to the trash:  photolala trash put PATH"),
            (
                ["mv", "a.jpg", "b.jpg"],
                "To move or rename photos, move their files in a synced folder:  photolala sync FOLDER"
            ),
        ])
    func otherPrograms(_ arguments: [String], _ advice: String) {
        let error = #expect(throws: ValidationError.self) { try CommandNames.check(arguments, of: Photolala.self) }
        let separator = advice.contains("\n") ? "\n" : " "
        #expect(error?.message.hasSuffix("”.\(separator)\(advice)") == true)
    }

    @Test func `a confirmation of a command that asks nothing is rejected as such`() throws {
        let error = #expect(throws: ValidationError.self) {
            try CommandNames.check(["trash", "restore", "a.jpg", "--yes"], of: Photolala.self)
        }
        #expect(error?.message == "“trash restore” asks no question. Omit --yes.")
        let usage = try #require(CommandNames.usage(of: ["trash", "restore", "a.jpg", "--yes"], Photolala.self))
        #expect(
            usage.hasPrefix("Usage: photolala trash restore ") && usage.contains("'photolala trash restore --help'"))
        #expect(CommandNames.usage(of: ["trash", "empty"], Photolala.self) == nil)
        for accepted in [["trash", "put", "a.jpg", "--yes"], ["trash", "restore", "--", "--yes"]] {
            try CommandNames.check(accepted, of: Photolala.self)
        }
    }

    @Test func `a file or folder with the name of a service is the path of an export`() throws {
        try CommandNames.check(["import", "photos"], of: Photolala.self) { $0 == "photos" }
        let error = #expect(throws: ValidationError.self) {
            try CommandNames.check(["import", "photos"], of: Photolala.self) { _ in false }
        }
        #expect(error?.message.contains("For a copy of iCloud Photos:  photolala import icloud PATH\n") == true)
    }

    @Test(
        "the distance counts inserted, removed, replaced and swapped characters",
        arguments: [
            ("sync", "sync", 0), ("sycn", "sync", 1), ("syn", "sync", 1), ("", "abc", 3), ("kitten", "sitting", 3),
        ])
    func distance(_ word: String, _ other: String, _ expected: Int) {
        #expect(CommandNames.distance(word, other) == expected)
    }
}
