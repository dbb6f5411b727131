import Accounts
import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import Testing

@testable import UseCases

/// The erasure of a person with many photos.
@Suite struct LargeErasureTests {
    private static let photos = 100_000

    @Test("an erasure of 100,000 photos holds one page of them, and lists and deletes each once")
    func many() async throws {
        let clock = TestClock()
        let memory = MemoryObjectStore { clock.now }
        let service = try await TestService.make(store: memory, clock: clock)
        let bob = try await service.signUp(.apple, "bob")
        let user = bob.user.serviceUserID
        for number in 0..<Self.photos {
            let md5 = "\(String(repeating: "0", count: 26))\(100_000 + number)"
            let key = ObjectKey(known: StorageLayout.photo(user, md5: md5))
            _ = try await memory.put(key, ByteBuffer(string: "photo"), if: .always)
        }
        _ = try await service.services.deletion.schedule(
            .init(confirmation: "DELETE"), caller: try await service.caller(bob.session))
        clock.advance(by: 14 * 86_400)
        _ = service.store.drainRequests()
        try await service.services.accountErasure.eraseDueAccounts()
        let round = service.store.drainRequests()
        let photos = StorageLayout.photos(user)
        #expect(round.count { $0.kind == .delete && $0.key.hasPrefix(photos) } == Self.photos)
        #expect(round.count { $0.kind == .list && $0.key == photos } == 2 * Self.photos / 1000, "counted, then erased")
        #expect(round.count < Self.photos + 2 * Self.photos / 1000 + 200)
        // Each page of the erasure is deleted before the next one is read.
        var held: [Int] = []
        for request in round where request.key.hasPrefix(photos) {
            if request.kind == .list { held.append(0) } else { held[held.count - 1] += 1 }
        }
        #expect(held == Array(repeating: 0, count: 100) + Array(repeating: 1000, count: 100))
        clock.advance(by: 3600)
        try await service.services.accountErasure.eraseDueAccounts()
        #expect(service.store.drainRequests().count < 200, "nothing is left to count")
        clock.advance(by: 14 * 86_400)
        try await service.services.accountErasure.eraseDueAccounts()
        #expect(try await memory.list(prefix: photos, after: nil, limit: 1).objects == [])
        let code = try service.components.deletionCodes.makeReceiptCode(for: user, requestedBy: .owner)
        let receipt = try #require(try await service.services.deletion.status(receiptCode: code).receipt)
        let payload = try #require(Base64URL.decode(receipt.split(separator: ".")[1]))
        #expect(String(decoding: payload, as: UTF8.self).contains(#""photos":{"bytes":500000,"objects":100000}"#))
    }
}
