import Accounts
import DirectoryStorage
import Foundation
import Logging
import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import PhotolalaTesting
import StorageAccess
import Subscriptions
import Testing

@testable import UseCases

/// The export of a person who may not upload anything.
@Suite struct ExportOverQuotaTests {
    @Test("over quota, after the subscription and with a scheduled deletion, an export has all photos")
    func overQuota() async throws {
        let folder = try TemporaryFolder()
        let store = try await DirectoryObjectStore.open(
            at: URL(filePath: folder.subpath("store")), now: { Date(timeIntervalSince1970: 1_700_000_000) },
            randomness: .seeded(1), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            reserve: StorageReserve(bytes: 0))
        let fixture = try await SubscriptionFixture.make(
            {
                $0.plan = TierPlan([
                    .free: .init(storageLimit: 100, products: []),
                    .premium: .init(storageLimit: 1_000_000, products: [TestAppStore.premium]),
                ])
                $0.erasure = LocalErasureAccess(store, deletedData: store)
            }, store: store)
        let bob = try await fixture.person("bob")
        try await fixture.present(fixture.purchase(for: bob.user), bob)
        let photos = (0..<3).map { AccountExportFixture.photo($0) }
        var uploads: [UploadedPhoto] = []
        for (number, photo) in photos.enumerated() {
            let md5 = ContentDigest(of: photo)
            _ = try await store.put(.photo(bob.user, md5: md5), photo, if: .always)
            uploads.append(
                UploadedPhoto(
                    path: try #require(LibraryPath("Uploads/\(number).jpg")), md5: md5,
                    modified: Timestamp(seconds: 1_700_000_000, nanoseconds: 0)))
        }
        let outcomes = try await fixture.services.libraryUploads.finishUploads(
            uploads, caller: try await fixture.refreshed(bob))
        #expect(outcomes.allSatisfy { $0 == .added })
        fixture.advance(days: 60)
        try await fixture.services.usageCount.countUsage()
        let session = try await fixture.service.signIn(.google, "bob").session
        let lapsed = try await fixture.service.caller(session)
        #expect(try await fixture.subscription(lapsed).tier == .free)
        #expect(try await fixture.services.storageAccess.issueCredentials(lapsed).access == .readDelete)
        try await check(fixture, session, photos)
        _ = try await fixture.services.deletion.schedule(.init(confirmation: "DELETE"), caller: lapsed)
        let back = try await fixture.service.signIn(.google, "bob").session
        let deleting = try await fixture.service.caller(back)
        #expect(try await fixture.services.storageAccess.issueCredentials(deleting).access == .read)
        try await check(fixture, back, photos)
        try await store.close()
    }

    /// Creates and downloads an export, which must have all photos.
    private func check(_ fixture: SubscriptionFixture, _ session: Session, _ photos: [ByteBuffer]) async throws {
        let service = fixture.service
        let export = try await fixture.services.export.create(try await service.caller(session))
        #expect(export.photos == photos.count && export.missingPhotos == 0 && !export.isCatalogDamaged)
        let download = try await fixture.services.export.open(export.id, caller: try await service.caller(session))
        var bytes = Data()
        try await download.open().read(0..<export.size) { bytes.append(contentsOf: $0.readableBytesView) }
        #expect(Int64(bytes.count) == export.size)
        for photo in photos { #expect(bytes.range(of: Data(photo.readableBytesView)) != nil) }
    }
}
