import Accounts
import Foundation
import LibraryExport
import NIOCore
import PhotoCatalog
import PhotolalaAPI
import Secrets
import StorageAccess

/// Exports an account for an operator, who answers a request of its owner.
///
/// The archive is that of `AccountExportService`, produced once and in order, and not stored. It works over quota, without
/// a subscription, during a legal hold and while a deletion is scheduled.
package struct OperatorExport: Sendable {
    let support: AccountSupport
    let libraries: Libraries
    let credentials: any CredentialIssuer
    let files: AccountFiles
    let signer: ExportSigner
    let randomness: Randomness
    let now: @Sendable () -> Date

    /// An export that was written.
    package struct Summary: Sendable, Equatable {
        /// The size of the archive in bytes.
        package let size: Int64
        package let photos: Int
        /// The photos of the catalog that the store does not have.
        package let missingPhotos: Int
        /// The photos in an archive storage class that were not restored from there.
        package let archivedPhotos: Int
        /// The photos that are in the archive as far as they could be read.
        package let damagedPhotos: Int
        /// Whether the catalog could not be read: the archive has all stored photos without their paths.
        package let isCatalogDamaged: Bool

        /// Whether the archive has everything.
        package var isComplete: Bool {
            missingPhotos == 0 && archivedPhotos == 0 && damagedPhotos == 0 && !isCatalogDamaged
        }
    }

    /// Records the export in the account's audit log and produces the archive. Photos that the caller has not seen before
    /// are read twice if they have more than 4 MiB: their checksums come first.
    /// - Parameter emit: receives the bytes, in order.
    /// - Throws: `AccountSupport.Refusal`, also if the erasure began during the export; the errors of store and issuer.
    package func write(
        _ user: UserID, reason: OperatorReason, _ emit: (ByteBuffer) async throws -> Void
    ) async throws -> Summary {
        let account = try await support.recordExport(of: user, reason: reason)
        let access = OperatorReadAccess(
            user: user, device: DeviceID(uuid: randomness.uuid()), session: SessionID(uuid: randomness.uuid()),
            credentials: credentials, now: now)
        let (catalog, isDamaged) = try await catalog(of: user, access)
        let store = libraries.stores.store(of: user, try await access.current())
        var differences = try await StoreDifferences(of: catalog, in: store, user: user, leavesOutArchived: true)
        let time = now()
        let files = try await files.files(of: account, at: time, in: store)
        for object in files.leftOut { differences.add(leftOut: object.key, size: object.size) }
        let description = ExportDescription(
            account: user, created: time, assembledBy: .server, isCatalogDamaged: isDamaged,
            signatureSize: try await signer.signatureSize(of: user, assembledBy: .server))
        let plan = try ExportPlan(description, files: files.files, catalog: catalog, stored: differences)
        let contents = ExportContents(user: user, fillsArchived: true) {
            libraries.stores.store(of: user, try await access.current())
        }
        let digests = MemoryDigestStore(count: plan.items.count) {
            try await signer.sign($0, of: user, assembledBy: .server)
        }
        try await ExportReader(plan, contents: contents, digests: digests).read(0..<plan.size, emit)
        // An erasure that began would appear as missing photos.
        try await support.requireUsable(user)
        return Summary(
            size: plan.size, photos: plan.items.count, missingPhotos: plan.items.missingCount,
            archivedPhotos: plan.items.archivedCount, damagedPhotos: digests.damagedCount,
            isCatalogDamaged: isDamaged)
    }

    private func catalog(
        of user: UserID, _ access: OperatorReadAccess
    ) async throws -> (catalog: Catalog, isDamaged: Bool) {
        let catalogs = libraries.catalogs(
            user, try await access.current(), device: access.device, sizes: CatalogSizes())
        do throws(CatalogError) {
            return (try await catalogs.load().catalog, false)
        } catch {
            guard error.isDamage else { throw error }
            return (Catalog(), true)
        }
    }
}

/// Read-only credentials for a user's objects, renewed while an export lasts.
private actor OperatorReadAccess {
    let user: UserID
    let device: DeviceID
    let session: SessionID
    let credentials: any CredentialIssuer
    let now: @Sendable () -> Date
    private var issued: StorageCredentials?

    /// How long credentials last, and how long before their end they are renewed, in seconds.
    private static let (lifetime, reserve): (TimeInterval, TimeInterval) = (3600, 900)

    init(
        user: UserID, device: DeviceID, session: SessionID, credentials: any CredentialIssuer,
        now: @escaping @Sendable () -> Date
    ) {
        (self.user, self.device, self.session) = (user, device, session)
        (self.credentials, self.now) = (credentials, now)
    }

    func current() async throws(CredentialIssuerError) -> StorageCredentials {
        if let issued, now() < issued.expiration.addingTimeInterval(-Self.reserve) { return issued }
        let renewed = try await credentials.issue(
            StorageGrant(
                user: user, device: device, session: session, access: .read,
                expiresAt: now().addingTimeInterval(Self.lifetime)))
        issued = renewed
        return renewed
    }
}
