import Foundation
import PhotolalaAPI
import PhotolalaClient
import Testing

@testable import photolala

@Suite("Output of a purge of the trash") struct PurgeResultTests {
    private func report(_ fields: String, files: Int = 5, kept: Int = 0, recent: Int = 0) throws -> PurgeReport {
        let text = """
            {"files": \(files), "bytes": 900, "contents": 4, "keptContents": \(kept), "sharedContents": 0, "recentContents": \(recent), \(fields)}
            """
        return try JSONDecoder().decode(PurgeReport.self, from: Data(text.utf8))
    }

    private func result(_ fields: String) throws -> PurgeResult { PurgeResult(report: try report(fields)) }

    private static let notBegun =
        #""isDone": false, "deletedContents": 0, "failedContents": 0, "unknownContents": 0"#

    @Test("the question names the files, their size, the selection and the account")
    func question() throws {
        let report = try report(Self.notBegun)
        var wanted = try FilterOptions.parse([])
        #expect(
            PurgeStrings.question(report, selection: TrashStrings.selection(wanted), account: "“Bob”, bob@example.com")
                == "Permanently delete 5 files (900 B) from the trash of “Bob”, bob@example.com? This cannot be undone."
        )
        wanted = try FilterOptions.parse(["a.jpg", "b\u{7}.jpg", "c.jpg", "d.jpg", "--name", "x"])
        #expect(
            TrashStrings.selection(wanted)
                == ", selected by “a.jpg”, “b\u{FFFD}.jpg”, “c.jpg”, 1 more, the filters,")
        #expect(TrashStrings.selection(try FilterOptions.parse(["--type", "video"])) == ", selected by the filters,")
    }

    @Test("an account is named by its display name and e-mail address, else by its ID")
    func account() throws {
        let links = [("a@example.com", false), ("bob@example.com", true)].map { email, isPrimary in
            LinkedProvider(
                linkID: LinkID(uuid: UUID()), provider: .apple, email: email, linkedAt: Date(), lastUsedAt: nil,
                linkMethod: .created, isPrimary: isPrimary, state: .active)
        }
        let id = UserID(uuid: UUID())
        func user(_ links: [LinkedProvider], name: String?) -> User {
            User(
                serviceUserID: id, primaryProvider: .apple, linkedProviders: links, displayName: name,
                createdAt: Date(), subscription: Subscription(tier: .free, storageLimit: 1))
        }
        #expect(AccountLabel.text(user(links, name: "Bob")) == "“Bob”, bob@example.com")
        #expect(AccountLabel.text(user(links, name: nil)) == "bob@example.com")
        #expect(AccountLabel.text(user([], name: nil)) == "account \(id)")
    }

    @Test("photos that are also in the library or too recent are counted")
    func kept() throws {
        let none = PurgeResult(report: try report(Self.notBegun, files: 0, kept: 1, recent: 2), isSelection: true)
        #expect(
            none.text == """
                Nothing was deleted.
                1 photo also in your library outside the trash; not deleted.
                2 photos not deleted: in the trash for less than 30 days. To delete them anyway, add --now.
                """)
        #expect(none.status == .done)
        let unknown = PurgeResult(report: try report(Self.notBegun, files: 0), isSelection: true)
        #expect(unknown.text == "No matching photos in the trash.")
        let all = PurgeResult(report: try report(Self.notBegun, files: 0))
        #expect(all.text.hasSuffix("photolala trash purge --now"))
        let elsewhere = PurgeResult(report: try report(Self.notBegun, files: 0, kept: 2), includesRecent: true)
        #expect(
            elsewhere.text
                == "Nothing was deleted.\n2 photos also in your library outside the trash; not deleted.")
        let empty = PurgeResult(report: try report(Self.notBegun, files: 0), includesRecent: true)
        #expect(empty.text == "The trash is empty.")
    }

    @Test("single versions require a path and hexadecimal digits in restore and purge")
    func ids() throws {
        for arguments in [
            ["--id", "0123"], ["a.jpg", "--id", "012"], ["a.jpg", "--id", "xyz0"],
        ] {
            #expect(throws: (any Error).self) { try PurgeTrashCommand.parse(arguments) }
            #expect(throws: (any Error).self) { try RestoreCommand.parse(["--to", "x"] + arguments) }
        }
        let purge = try PurgeTrashCommand.parse(["a.jpg", "--id", "0123", "--now"])
        #expect(purge.ids == ["0123"] && purge.now)
        #expect(try RestoreCommand.parse(["--to", "x", "a.jpg", "--id", "ABCD1234"]).ids == ["ABCD1234"])
    }

    @Test(
        "a purge reports complete, partial, unknown, interrupted and declined deletions",
        arguments: [
            (#""isDone": true, "deletedContents": 4, "failedContents": 0, "unknownContents": 0"#, 0, "4 of 4"),
            (
                #""isDone": true, "deletedContents": 3, "failedContents": 1, "unknownContents": 0"#, 2,
                "Failed to delete 1 photo. Run the same command again."
            ),
            (
                #""isDone": false, "deletedContents": 2, "failedContents": 0, "unknownContents": 2"#, 2,
                "again in 40 minutes"
            ),
            (
                #"""
                "isDone": false, "deletedContents": 2, "failedContents": 0, "unknownContents": 0, "stopped": \#
                {"code": "temporarily_unavailable", "detail": "The line is dead."}
                """#, 7, "Interrupted: The line is dead."
            ),
            (
                #""isDone": false, "deletedContents": 0, "failedContents": 0, "unknownContents": 0"#, 1,
                "Nothing was deleted."
            ),
        ] as [(String, Int32, String)])
    func endings(fields: String, status: Int32, words: String) throws {
        let result = try result(fields)
        #expect(result.status.rawValue == status)
        #expect(result.text.contains(words), "\(result.text)")
    }
}
