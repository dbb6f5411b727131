import Foundation
import PhotolalaTesting
import Testing

/// Bob deletes his account, changes his mind, and deletes it again, with the shipped programs.
@Suite struct DeletionJourneyTests {
    @Test("Bob deletes his account on one device, keeps it from another one, and deletes it for good")
    func change() async throws {
        try await withTemporaryFolder { folder, transport in
            let data = folder.appendingPathComponent("data")
            let photos = folder.appendingPathComponent("photos")
            for each in [data, photos] {
                try FileManager.default.createDirectory(at: each, withIntermediateDirectories: true)
            }
            try PhotoFolder.make(3, in: photos)
            let server = try await ServerProcess(data: data, transport: transport)
            let phone = CommandLineDevice(profile: folder.appendingPathComponent("phone"), server: server.address)
            let laptop = CommandLineDevice(profile: folder.appendingPathComponent("laptop"), server: server.address)
            #expect(try await phone.run("signup", "--provider", "apple", "--dev-user", "bob").status == 0)
            #expect(try await phone.run("backup", photos.path).status == 0)
            #expect(try await laptop.run("signin", "--provider", "apple", "--dev-user", "bob").status == 0)

            let before = try PhotoFolder.manifest(photos)
            let shown = try await phone.run("delete-account", "--show")
            #expect(shown.status == 0 && shown.text.contains("No deletion is scheduled."), "\(shown.errors)")
            #expect(shown.text.contains("photos "), "\(shown.text)")
            let refused = try await phone.run("delete-account", "--confirm", "delete")
            #expect(refused.status == 1 && refused.errors.contains("Nothing was deleted"), "\(refused.errors)")
            let unasked = try await phone.run("delete-account")
            #expect(unasked.status == 64 && unasked.errors.contains("--confirm DELETE"), "\(unasked.errors)")
            let deleted = try await phone.run("delete-account", "--confirm", "DELETE", "--json")
            let first = try #require(try deleted.json()["overview"] as? [String: Any])
            let undo = try #require(first["undoCode"] as? String)
            #expect(try await laptop.run("backup", photos.path).status == 3, "the session has ended")

            #expect(try await laptop.run("signin", "--provider", "apple", "--dev-user", "bob").status == 0)
            let who = try await laptop.run("whoami")
            #expect(who.text.contains("will be deleted on") && who.text.contains("--cancel"), "\(who.text)")
            for command in ["backup", "sync"] {
                let stopped = try await laptop.run(command, photos.path)
                #expect(stopped.status == 1 && stopped.errors.contains("being deleted"), "\(stopped.errors)")
                #expect(stopped.errors.contains("photolala delete-account --cancel"), "\(stopped.errors)")
            }
            #expect(try PhotoFolder.manifest(photos) == before, "local photos must stay")
            let restored = folder.appendingPathComponent("restored")
            #expect(try await laptop.run("restore", "--to", restored.path).status == 0, "reading stays possible")
            let linked = try await laptop.run("link", "--provider", "google", "--dev-user", "bob")
            #expect(linked.errors.contains("deletion of the account is scheduled"), "\(linked.errors)")

            #expect(try await laptop.run("delete-account", "--cancel").status == 0)
            #expect(try await laptop.run("backup", photos.path).status == 0)
            let late = try await laptop.run("delete-account", "--undo", undo)
            #expect(late.status == 1 && late.errors.contains("No deletion to cancel"), "\(late.errors)")

            let again = try await laptop.run("delete-account", "--confirm", "DELETE", "--json")
            let second = try #require(try again.json()["overview"] as? [String: Any])
            let receipt = try #require(second["receiptCode"] as? String)
            let status = try await phone.run("delete-account", "--receipt", receipt)
            #expect(status.status == 0 && status.text.hasPrefix("Scheduled for "), "\(status.errors)")
            let unknown = try await phone.run("delete-account", "--receipt", "\(receipt)0")
            #expect(unknown.status == 1)
            let listed = try OperatorCommand.run("deletions", data: data)
            #expect(listed.status == 0 && listed.output.contains("scheduled"), "\(listed.output)")
            let code = try #require(second["undoCode"] as? String)
            #expect(try await phone.run("delete-account", "--undo", code).status == 0)
            #expect(try OperatorCommand.run("deletions", data: data).output.contains("no deletions"))
            let user = try #require(
                (try await laptop.run("signin", "--provider", "apple", "--dev-user", "bob", "--json")
                    .json()["user"] as? [String: Any])?["serviceUserID"] as? String)
            #expect(server.stop() == 0)
            let traces = try OperatorCommand.run("prove-absence", user, data: data)
            #expect(
                traces.status == 1 && traces.output.contains("file \(data.path)/photolala.sqlite"), "\(traces.output)")
            let missing = try OperatorCommand.run("prove-absence", user, "--file", "\(data.path)/missing", data: data)
            #expect(missing.status == 69, "a file that cannot be searched proves nothing")
            let none = try OperatorCommand.run("prove-absence", UUID().uuidString, data: data)
            #expect(none.status == 3 && none.output.contains("nothing found"), "\(none.output)")
        }
    }
}
