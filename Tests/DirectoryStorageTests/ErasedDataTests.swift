import DirectoryStorage
import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import StorageAccess
import Testing
import UseCases

/// What a deleted account leaves in the files of a folder.
@Suite struct ErasedDataTests {
    @Test("after an erasure no file of the folder contains a byte of the person, in databases and logs neither")
    func bytes() async throws {
        try await DirectoryFixture.with { fixture in
            let store = try await fixture.open()
            let clock = TestClock()
            var options = TestService.Options()
            options.erasure = LocalErasureAccess(store, deletedData: store)
            let service = try await TestService.make(options, store: store, clock: clock)
            let bob = try await service.signUp(.apple, "canary-subject", name: "Canary", email: "canary@gmail.com")
            let neighbour = try await service.signUp(.google, "neighbour", device: 5)
            let (user, caller) = (bob.user.serviceUserID, try await service.caller(bob.session))
            // Documents that are replaced often, and large ones: they use overflow pages.
            for number in 0..<40 {
                let text = String(repeating: "canary-\(number) ", count: 20 * number)
                _ = try await service.services.account.replaceProfile(
                    user, with: Profile(displayName: "canary \(number)", preferences: ["note": .text(text)]), if: .any,
                    caller: caller)
                _ = try await service.services.sessions.refresh(
                    RefreshRequest(refreshToken: service.signIn(.apple, "canary-subject").session.refreshToken))
            }
            for (key, text) in [
                (StorageLayout.photo(user, md5: String(repeating: "a", count: 32)), "canary-photo"),
                (StorageLayout.catalogPointer(user), "canary-pointer"),
                (StorageLayout.exportHead(user, ExportID(uuid: UUID())), "canary-export"),
                (
                    StorageLayout.photo(neighbour.user.serviceUserID, md5: String(repeating: "b", count: 32)),
                    "neighbour-photo"
                ),
            ] { try await store.put(ObjectKey(known: key), ByteBuffer(string: text), if: .always) }
            let secrets = ["canary", user.description, TestService.device(1).id.description]
            for secret in secrets { #expect(try !Self.files(fixture.folder, with: secret).isEmpty, "\(secret)") }
            let again = try await service.signIn(.apple, "canary-subject")
            _ = try await service.services.deletion.schedule(
                .init(confirmation: "DELETE"), caller: try await service.caller(again.session))
            for _ in 0..<4 {
                clock.advance(by: 14 * 86_400)
                try await service.services.accountErasure.eraseDueAccounts()
            }
            #expect(try await service.components.accounts.account(user) == nil)
            for secret in secrets {
                let found = try Self.files(fixture.folder, with: secret)
                #expect(found == [], "\(secret) \(found)")
            }
            #expect(try !Self.files(fixture.folder, with: "neighbour-photo").isEmpty)
            #expect(
                try await service.signIn(.google, "neighbour", device: 5).user.serviceUserID
                    == neighbour.user.serviceUserID)
            try await store.close()
            for secret in secrets { #expect(try Self.files(fixture.folder, with: secret) == [], "\(secret)") }
        }
    }

    @Test("rows that moved within a page or to another one leave no copies", arguments: 0..<8 as Range<UInt64>)
    func movedRows(_ seed: UInt64) async throws {
        try await DirectoryFixture.with { fixture in
            let store = try await fixture.open()
            var random = SeededGenerator(seed: seed)
            var stored: [Int: Int] = [:]
            for version in 0..<200 {
                let number = Int.random(in: 0..<24, using: &random)
                let key = ObjectKey(known: "service/\(number)")
                if Int.random(in: 0..<10, using: &random) < 3 {
                    stored[number] = nil
                    try await store.delete(key, if: .always)
                } else {
                    stored[number] = version
                    let body = String(repeating: "<\(version)>", count: Int.random(in: 1..<100, using: &random))
                    try await store.put(key, ByteBuffer(string: body), if: .always)
                }
                // Copies the pages of the log into the database.
                try await store.eraseDeletedData(below: [])
                let bytes = try Data(contentsOf: URL(filePath: "\(fixture.folder)/photolala.sqlite"))
                let found = String(decoding: bytes, as: UTF8.self).matches(of: /<([0-9]+)>/).compactMap { Int($0.1) }
                try #require(Set(found) == Set(stored.values), "after version \(version)")
            }
            try await store.close()
        }
    }

    /// Returns the files whose name or content contains a text, regardless of case.
    private static func files(_ folder: String, with text: String) throws -> [String] {
        let paths = try #require(FileManager.default.enumerator(atPath: folder)).allObjects.compactMap { $0 as? String }
        return paths.filter { path in
            let content = FileManager.default.contents(atPath: "\(folder)/\(path)") ?? Data()
            let searched = Data(String(decoding: content, as: UTF8.self).lowercased().utf8)
            return path.lowercased().contains(text) || searched.range(of: Data(text.utf8)) != nil
        }
    }
}
