import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing

/// An operator's commands on a data folder, through the shipped program.
@Suite struct FolderJourneyTests {
    @Test("the databases are backed up beside a running server, and a server on the backup has all accounts")
    func backUp() async throws {
        try await withTemporaryFolder { folder, transport in
            let (data, copy) = (folder.appendingPathComponent("data"), folder.appendingPathComponent("copy"))
            try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
            let server = try await ServerProcess(data: data, transport: transport)
            let person = Person(1, transport: transport)
            let token = try await person.token(at: server.address)
            let signedUp = try #require(try await person.signUp(at: server.address, token: token))
            let backup = try OperatorCommand.run("backup", [copy.path], data: data)
            #expect(backup.status == 0, "\(backup.output)")
            #expect(try OperatorCommand.run("backup", [copy.path], data: data).status == 69, "none is replaced")
            let scrub = try OperatorCommand.run("scrub", data: data)
            #expect(scrub.status == 0 && scrub.output.contains("0 findings"), "\(scrub.output)")
            #expect(server.stop() == 0)
            try FileManager.default.copyItem(
                at: data.appendingPathComponent("development-secrets"),
                to: copy.appendingPathComponent("development-secrets"))
            let restored = try await ServerProcess(data: copy, transport: transport, onPortsOf: server)
            #expect(
                try await person.signIn(at: restored.address).user.serviceUserID == signedUp.user.serviceUserID)
            #expect(restored.stop() == 0)
        }
    }

    @Test("a server does not start after an interrupted recovery, and the recovery can be repeated")
    func endedRecovery() async throws {
        try await withTemporaryFolder { folder, transport in
            let data = folder.appendingPathComponent("data")
            let file = folder.appendingPathComponent("accounts.snapshot")
            try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
            let server = try await ServerProcess(data: data, transport: transport)
            let person = Person(1, transport: transport)
            let token = try await person.token(at: server.address)
            let signedUp = try #require(try await person.signUp(at: server.address, token: token))
            let storage = try await person.storage(at: server.address, signedUp.session)
            let photo = StorageLayout.photo(signedUp.user.serviceUserID, md5: String(repeating: "a", count: 32))
            try await storage.put(ObjectKey(known: photo), ByteBuffer(string: "photo"), if: .always)
            #expect(try OperatorCommand.run("snapshot", file.path, data: data).status == 0)
            #expect(server.stop() == 0)
            let accounts = data.appendingPathComponent("photolala.sqlite")
            for ending in ["", ".mark"] { try FileManager.default.removeItem(atPath: accounts.path + ending) }

            let dry = try OperatorCommand.run("recover", file.path, data: data)
            #expect(dry.status == 0 && dry.output.contains("nothing was changed"), "\(dry.output)")
            #expect(!FileManager.default.fileExists(atPath: accounts.path), "a dry run creates no database")
            try Data(contentsOf: file).dropLast(100).write(to: file.appendingPathExtension("cut"))
            #expect(try OperatorCommand.run("recover", "--apply", file.path + ".cut", data: data).status == 69)
            let start = try OperatorCommand.run("serve", ["--listen", "127.0.0.1:1"], data: data)
            #expect(start.status == 69)
            let applied = try OperatorCommand.run("recover", "--apply", file.path, data: data)
            #expect(applied.status == 0 && applied.output.contains("recovered: "), "\(applied.output)")
            let restored = try await ServerProcess(data: data, transport: transport, onPortsOf: server)
            #expect(try await person.signIn(at: restored.address).user.serviceUserID == signedUp.user.serviceUserID)
            #expect(restored.stop() == 0)
        }
    }

    @Test("forgetting signing keys ends the sessions that they signed, and only with --apply")
    func forgetsSigningKeys() async throws {
        try await withTemporaryFolder { data, transport in
            let server = try await ServerProcess(data: data, transport: transport)
            let person = Person(1, transport: transport)
            _ = try await person.signUp(at: server.address, token: try await person.token(at: server.address))
            #expect(server.stop() == 0)
            let dry = try OperatorCommand.run("forget-signing-keys", data: data)
            #expect(dry.status == 0 && dry.output.contains("Nothing was changed"), "\(dry.output)")
            let applied = try OperatorCommand.run("forget-signing-keys", "--apply", data: data)
            #expect(applied.status == 0 && applied.output.contains("Deleted the signing keys"), "\(applied.output)")
            let again = try OperatorCommand.run("forget-signing-keys", "--apply", data: data)
            #expect(again.status == 0 && again.output.contains("No signing keys"), "\(again.output)")
            let next = try await ServerProcess(data: data, transport: transport, onPortsOf: server)
            _ = try await person.signIn(at: next.address)
            #expect(next.stop() == 0)
        }
    }

    @Test("a server does not start on a damaged account database, and scrub reports the damage")
    func damaged() async throws {
        try await withTemporaryFolder { data, transport in
            let server = try await ServerProcess(data: data, transport: transport)
            let person = Person(1, transport: transport)
            _ = try await person.signUp(at: server.address, token: try await person.token(at: server.address))
            #expect(server.stop() == 0)
            let path = data.appendingPathComponent("photolala.sqlite")
            var bytes = try Data(contentsOf: path)
            bytes[bytes.count - 700] ^= 1
            try bytes.write(to: path)
            let start = try OperatorCommand.run("serve", ["--listen", "127.0.0.1:1"], data: data)
            #expect(start.status == 69)
            let scrub = try OperatorCommand.run("scrub", data: data)
            #expect(scrub.status == 1 && scrub.output.contains("damaged  "), "\(scrub.output)")
        }
    }

    @Test(
        "commands that read work on a read-only disk, and those that write say why they do not",
        .enabled(if: MountedDisk.canBeMade, "needs root on Linux to mount a disk"))
    func readOnlyDisk() async throws {
        try await withTemporaryFolder { folder, transport in
            let (data, view) = (folder.appendingPathComponent("data"), folder.appendingPathComponent("view"))
            try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
            let server = try await ServerProcess(data: data, transport: transport)
            let person = Person(1, transport: transport)
            let token = try await person.token(at: server.address)
            let user = try #require(try await person.signUp(at: server.address, token: token)).user.serviceUserID
            // Killed: the databases have logs.
            server.kill()
            try await MountedDisk.withReadOnlyView(of: data.path, at: view.path) {
                let copy = folder.appendingPathComponent("copy").path
                for words in [
                    ["jobs"], ["events"], ["repair"], ["audit", user.description], ["scrub"], ["backup", copy],
                    ["snapshot", "\(copy).snapshot"], ["forget-signing-keys"], ["migrate"],
                    ["migrate", "--subjects", "hashed"], ["migrate", "--from", "older-layouts"], ["transfer-apple"],
                    ["transfer-apple", "--complete", "--dry-run"],
                ] {
                    let command = try OperatorCommand.run(words[0], Array(words.dropFirst()), data: view)
                    #expect([0, 1].contains(command.status), "\(words): \(command.output)")
                }
                let missing = try OperatorCommand.refusal(of: ["subscription", "1000"], data: view)
                #expect(missing.contains("no record of 1000"), "\(missing)")
                for words in [
                    ["serve"], ["repair", "--apply"], ["events", "retry"], ["forget-signing-keys", "--apply"],
                ] {
                    let refusal = try OperatorCommand.refusal(of: words, data: view)
                    #expect(refusal.contains("mounted read-only"), "\(words): \(refusal)")
                    #expect(!refusal.contains("must own"), "\(words): \(refusal)")
                }
            }
        }
    }
}
