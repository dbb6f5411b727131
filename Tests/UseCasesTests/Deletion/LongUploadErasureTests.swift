import Accounts
import Foundation
import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import UseCases

/// The erasure of an account whose upload addresses are still valid in the bucket.
@Suite struct LongUploadErasureTests {
    /// Such an upload may take 36 hours.
    private static let size: Int64 = 4 << 30

    private func open(issuer: GrantRecorder?) async throws -> (TestService, UserID, ObjectKey) {
        let clock = TestClock()
        var options = TestService.Options()
        options.uploadAddressLifetime = 604_800
        options.deletionUndoPeriod = 0
        options.credentialIssuer = issuer
        let service = try await TestService.make(options, store: MemoryObjectStore { clock.now }, clock: clock)
        let bob = try await service.signUp(.apple, "bob")
        let md5 = ContentDigest(of: ByteBuffer(string: "late")).description
        let caller = try await service.caller(bob.session)
        _ = try await service.services.uploads.reserveUploads(
            UploadRequests(
                uploads: [UploadRequest(md5: md5, size: Self.size, kind: .photo)], lifetime: 604_800),
            caller: caller)
        _ = try await service.services.deletion.schedule(
            .init(confirmation: DeletionRequest.confirmationText), caller: caller)
        let user = bob.user.serviceUserID
        return (service, user, ObjectKey(known: StorageLayout.photo(user, md5: md5)))
    }

    private func run(_ service: TestService, hours: Int) async throws {
        for _ in 0..<hours {
            service.clock.advance(by: 3600)
            try await service.services.accountErasure.eraseDueAccounts()
        }
    }

    @Test func `it ends after the last address, and erases what was uploaded in its last second`() async throws {
        let (service, user, key) = try await open(issuer: GrantRecorder())
        try await run(service, hours: 200)
        let begun = try #require(try await service.components.accounts.deletions.record(user)).value
        #expect(begun.progress?.round ?? 0 > 1, "all else was erased at once")
        _ = try await service.store.put(key, ByteBuffer(string: "late"), if: .always)
        #expect(try await service.services.accountErasure.eraseDueAccounts()?.overdueDeletions == 0)
        try await run(service, hours: 10)
        #expect(try await service.store.get(key, limit: 10) == nil)
        #expect(try await service.components.accounts.account(user) == nil)
    }

    @Test func `an unreadable record of the reservations delays the end by more than a week`() async throws {
        let (service, user, _) = try await open(issuer: GrantRecorder())
        let record = ObjectKey(known: StorageLayout.reservations(user))
        _ = try await service.store.put(record, ByteBuffer(string: "{"), if: .always)
        try await run(service, hours: 168)
        #expect(try await service.components.accounts.account(user) != nil)
        try await run(service, hours: 72)
        #expect(try await service.components.accounts.account(user) == nil)
    }

    @Test func `a store that checks the account at each upload waits for no address`() async throws {
        let (service, user, _) = try await open(issuer: nil)
        try await run(service, hours: 72)
        #expect(try await service.components.accounts.account(user) == nil)
    }
}
