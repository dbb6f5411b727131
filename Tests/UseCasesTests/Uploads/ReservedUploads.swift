import Foundation
import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import PhotolalaTesting
import Subscriptions

@testable import UseCases

/// Helpers of the suites for reserved uploads. Accounts may store 1,000 bytes here.
protocol ReservedUploads {}

extension ReservedUploads {
    func open(isStrict: Bool = true, store: (any ObjectStore)? = nil) async throws -> (SubscriptionFixture, Caller) {
        let fixture = try await SubscriptionFixture.make(
            {
                $0.plan = TierPlan([
                    .free: .init(storageLimit: 1000, products: []),
                    .premium: .init(storageLimit: 5000, products: [TestAppStore.premium]),
                ])
                $0.reservesUploads = isStrict
            }, store: store)
        return (fixture, try await fixture.person("bob"))
    }

    func photo(_ number: Int, _ size: Int64) -> UploadRequest {
        UploadRequest(md5: md5(number), size: size, kind: .photo, contentType: "image/jpeg")
    }

    func md5(_ number: Int) -> String { ContentDigest(of: ByteBuffer(integer: number)).description }

    @discardableResult
    func reserve(_ number: Int, _ size: Int64, _ fixture: SubscriptionFixture, _ bob: Caller) async throws
        -> ReservedUpload
    {
        try await fixture.services.uploads.reserveUpload(photo(number, size), caller: try await fixture.refreshed(bob))
    }

    /// Returns whether an upload fits into the quota headroom.
    func fits(_ number: Int, _ size: Int64, _ fixture: SubscriptionFixture, _ bob: Caller) async throws -> Bool {
        do {
            try await reserve(number, size, fixture, bob)
            return true
        } catch ServiceError.quotaExceeded {
            return false
        }
    }

    func send(_ number: Int, _ size: Int, _ fixture: SubscriptionFixture, _ bob: Caller) async throws {
        _ = try await fixture.service.store.put(
            ObjectKey(known: StorageLayout.photo(bob.user, md5: md5(number))),
            ByteBuffer(repeating: 0x61, count: size), if: .always)
    }

    func delete(_ number: Int, _ fixture: SubscriptionFixture, _ bob: Caller) async throws {
        try await fixture.service.store.delete(
            ObjectKey(known: StorageLayout.photo(bob.user, md5: md5(number))), if: .always)
    }
}
