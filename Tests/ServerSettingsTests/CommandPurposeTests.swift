import ArgumentParser
import Foundation
import ObjectStorage
import Testing

@testable import ServiceWiring
@testable import photolala_server

/// A command opens the store for reading unless it may change what is stored.
@Suite struct CommandPurposeTests {
    @Test("dry runs and reports only read, and the same commands with their options change", arguments: [true, false])
    func purposes(changes: Bool) throws {
        let expected: StorePurpose = changes ? .changes : .reading
        #expect(try ForgetSigningKeys.parse(changes ? ["--apply"] : []).purpose == expected)
        #expect(try ShowSubscription.parse(["1000"] + (changes ? ["--refresh"] : [])).purpose == expected)
        let migrations =
            changes
            ? [
                ["--subjects", "hashed", "--apply"], ["--from", "older-layouts", "--apply"], ["--confirm"], ["--undo"],
            ]
            : [[], ["--subjects", "hashed"], ["--from", "older-layouts"]]
        for arguments in migrations { #expect(try MigrateStore.parse(arguments).purpose == expected) }
        let transfers =
            changes
            ? [["--prepare", "ABCDE12345"], ["--complete"], ["--confirm"]]
            : [[], ["--confirm", "--dry-run"], ["--complete", "--dry-run"]]
        for arguments in transfers { #expect(try TransferApple.parse(arguments).purpose == expected) }
    }

    @Test(
        "a mistyped command names a similar one",
        arguments: [
            (["sreve"], "Unknown command “sreve”. Did you mean serve?"),
            (["account", "lst"], "Unknown command “account lst”. Did you mean list?"),
            (["help", "acount"], "Unknown command “acount”. Did you mean account?"),
            (["photographs"], "Unknown command “photographs”."),
        ])
    func mistyped(arguments: [String], message: String) {
        let error = #expect(throws: ValidationError.self) { try Entrypoint.check(arguments) }
        #expect(error?.message == message)
        for known in [[], ["--version"], ["help", "serve"], ["serve", "x"], ["events", "--json"], ["help"]] {
            #expect(throws: Never.self) { try Entrypoint.check(known) }
        }
    }

    @Test("a refusal advises to change the folder's owner only where this user may not write to it")
    func advice() throws {
        let folder = FileManager.default.temporaryDirectory.path
        let reason = "it has format 2. To upgrade it, copy the folder"
        for (data, advice) in [
            (folder, ""),
            ("\(folder)/missing", ". The user that runs the server must own the folder \(folder)/missing, mode 0700"),
        ] {
            let settings = try SettingsFixture.read(flags: [.environment: "dev", .data: data])
            #expect(StartProblem.text(ObjectStoreError.denied(reason), settings) == reason + advice)
        }
    }
}
