import Foundation
import PhotolalaClient
import PhotolalaTesting
import Secrets
import Testing

@Suite("Secrets in files") struct FileSecretStorageTests {
    @Test("a secret is stored, replaced and removed")
    func roundTrip() async throws {
        try await ClientFixture.with { fixture in
            let storage = try FileSecretStorage(folder: fixture.folder)
            #expect(try storage.load("session") == nil)
            try storage.save(Data("one".utf8), as: "session")
            try storage.save(Data("two".utf8), as: "session")
            #expect(try FileSecretStorage(folder: fixture.folder).load("session") == Data("two".utf8))
            try storage.delete("session")
            try storage.delete("session")
            #expect(try storage.load("session") == nil)
        }
    }

    @Test("files are readable only by their owner and contain no plain text")
    func permissions() async throws {
        try await ClientFixture.with { fixture in
            let secret = "a secret that must not lie in clear"
            try FileSecretStorage(folder: fixture.folder).save(Data(secret.utf8), as: "session")
            #expect(try mode(fixture.folder.path) == 0o700)
            let names = try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path)
            #expect(Set(names) == ["key", "session.sealed"])
            for name in names {
                let path = fixture.folder.appendingPathComponent(name).path
                #expect(try mode(path) == 0o600)
                let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
                #expect(bytes.range(of: Data(secret.utf8)) == nil)
            }
        }
    }

    @Test("a file that other users can read is rejected", arguments: ["key", "session.sealed"])
    func exposedFile(_ name: String) async throws {
        try await ClientFixture.with { fixture in
            try FileSecretStorage(folder: fixture.folder).save(Data("x".utf8), as: "session")
            chmod(fixture.folder.appendingPathComponent(name).path, 0o640)
            let error = #expect(throws: SecretStorageError.self) {
                _ = try FileSecretStorage(folder: fixture.folder).load("session")
            }
            #expect(error?.detail.contains("Other users can read") == true)
        }
    }

    @Test("a folder that other users can access is rejected")
    func exposedFolder() async throws {
        try await ClientFixture.with { fixture in
            _ = try FileSecretStorage(folder: fixture.folder)
            chmod(fixture.folder.path, 0o755)
            let error = #expect(throws: SecretStorageError.self) { _ = try FileSecretStorage(folder: fixture.folder) }
            #expect(error?.detail.contains("Other users can read \(fixture.folder.path)") == true)
        }
    }

    @Test("a symbolic link in place of the file is not followed")
    func link() async throws {
        try await ClientFixture.with { fixture in
            let storage = try FileSecretStorage(folder: fixture.folder)
            try storage.save(Data("x".utf8), as: "session")
            let path = fixture.folder.appendingPathComponent("session.sealed").path
            try FileManager.default.moveItem(atPath: path, toPath: path + ".moved")
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path + ".moved")
            let error = #expect(throws: SecretStorageError.self) { _ = try storage.load("session") }
            #expect(error?.isUnusable == true && error?.detail.hasPrefix("Cannot open \(path)") == true)
        }
    }

    @Test("a secret under another name cannot be opened")
    func swapped() async throws {
        try await ClientFixture.with { fixture in
            let storage = try FileSecretStorage(folder: fixture.folder)
            try storage.save(Data("x".utf8), as: "session")
            try FileManager.default.moveItem(
                at: fixture.folder.appendingPathComponent("session.sealed"),
                to: fixture.folder.appendingPathComponent("pending-identity.sealed")
            )
            let error = #expect(throws: SecretStorageError.self) { _ = try storage.load("pending-identity") }
            #expect(error?.isUnusable == true && error?.detail.contains("cannot be opened") == true)
        }
    }

    @Test("a damaged secret throws instead of being treated as missing")
    func damaged() async throws {
        try await ClientFixture.with { fixture in
            let storage = try FileSecretStorage(folder: fixture.folder)
            try storage.save(Data("x".utf8), as: "session")
            let path = fixture.folder.appendingPathComponent("session.sealed")
            try Data("file.AAAA".utf8).write(to: path)
            chmod(path.path, 0o600)
            let error = #expect(throws: SecretStorageError.self) { _ = try storage.load("session") }
            #expect(error?.isUnusable == true && error?.detail.contains("cannot be opened") == true)
        }
    }

    @Test("concurrent starts agree on one key")
    func race() async throws {
        try await ClientFixture.with { fixture in
            let folder = fixture.folder
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<16 {
                    group.addTask {
                        try FileSecretStorage(folder: folder).save(Data("x".utf8), as: "secret-\(number)")
                    }
                }
                try await group.waitForAll()
            }
            let storage = try FileSecretStorage(folder: folder)
            for number in 0..<16 { #expect(try storage.load("secret-\(number)") == Data("x".utf8)) }
        }
    }

    private func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.posixPermissions] as? NSNumber).intValue
    }
}
