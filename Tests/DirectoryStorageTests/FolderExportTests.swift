import DirectoryStorage
import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// Exports of accounts that are stored in a folder.
@Suite struct FolderExportTests {
    @Test("an export with more account data than the database stores in a row is downloaded, and its parts are files")
    func largeHead() async throws {
        try await DirectoryFixture.with { fixture in
            let store = try await fixture.open()
            let service = try await TestService.make(.init(), store: store, clock: TestClock())
            let bob = try await service.signUp(.apple, "bob")
            let user = bob.user.serviceUserID
            let photo = StorageLayout.photo(user, md5: "acbd18db4cc2f85cedef654fccc4a4d8")
            _ = try await store.put(ObjectKey(known: photo), ByteBuffer(string: "foo"), if: .always)
            _ = try await store.put(
                ObjectKey(known: "\(StorageLayout.userData(user))notes"), ByteBuffer(repeating: 7, count: 5 << 20),
                if: .always)
            let exports = service.services.export
            let export = try await exports.create(try await service.caller(bob.session))
            #expect(export.size > 5 << 20 && export.photos == 1)
            let download = try await exports.open(export.id, caller: try await service.caller(bob.session)).open()
            var size: Int64 = 0
            try await download.read(0..<export.size) { size += Int64($0.readableBytes) }
            #expect(size == export.size)
        }
    }
}
