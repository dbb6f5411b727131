import Accounts
import Foundation
import LibraryExport
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import StorageAccess
import Synchronization
import Testing

@testable import UseCases

/// Exports of accounts by an operator.
@Suite struct OperatorExportTests {
    private static func write(
        _ fixture: AccountExportFixture, reason: String = "Ticket 4711"
    ) async throws -> (summary: OperatorExport.Summary, bytes: Data) {
        var bytes = Data()
        let summary = try await fixture.service.services.operatorExport.write(
            fixture.user, reason: try #require(OperatorReason(reason))
        ) { bytes.append(contentsOf: $0.readableBytesView) }
        return (summary, bytes)
    }

    @Test("an operator's export verifies with its own script, and the owner reads the reason")
    func verifies() async throws {
        let (fixture, folder) = (try await AccountExportFixture(), try TemporaryFolder())
        let (summary, bytes) = try await Self.write(fixture)
        #expect(summary.isComplete && summary.photos == 3 && summary.size == Int64(bytes.count))
        let (archive, script, keys) = (folder.subpath("e.zip"), folder.subpath("verify"), folder.subpath("keys.json"))
        try bytes.write(to: URL(filePath: archive))
        try Data(ExportFile.verifyScript.bytes.readableBytesView).write(to: URL(filePath: script))
        let own = try await ChildProcess.run(URL(filePath: "/usr/bin/python3"), [script, archive])
        #expect(own.status == 0, "the archive must have the keys: \(own.output)")
        try Data(try await fixture.service.services.deletion.receiptKeys().utf8).write(to: URL(filePath: keys))
        let read = try await ChildProcess.run(
            URL(filePath: "/usr/bin/python3"), [script, archive, "--keys", keys])
        #expect(read.status == 0, "\(read.output)")
        #expect(try await fixture.storedKeys() == [], "nothing of the export is stored")
        let history = try await fixture.service.services.account.history(
            fixture.user, before: nil, limit: 50, caller: try await fixture.caller())
        let entry = try #require(history.entries.first { $0.act == .accountExported })
        #expect(entry.actor == .support && entry.reason == "Ticket 4711")
    }

    @Test("missing, damaged and unlisted photos are counted, and a damaged catalog is said")
    func incomplete() async throws {
        let fixture = try await AccountExportFixture()
        let keys = try await fixture.memory.list(
            prefix: StorageLayout.photos(fixture.user), after: nil, limit: 10
        ).objects.map(\.key)
        try await fixture.memory.delete(keys[0], if: .always)
        _ = try await fixture.memory.put(keys[1], AccountExportFixture.photo(9), if: .always)
        let (summary, _) = try await Self.write(fixture)
        #expect(summary.missingPhotos == 1 && summary.damagedPhotos == 1 && !summary.isComplete)
        let pointer = ObjectKey(known: StorageLayout.catalogPointer(fixture.user))
        _ = try await fixture.memory.put(pointer, ByteBuffer(string: "x"), if: .always)
        let damaged = try await Self.write(fixture).summary
        #expect(damaged.isCatalogDamaged && !damaged.isComplete)
    }

    @Test("the export works while a deletion is scheduled and during a legal hold, and not once the erasure has begun")
    func deletion() async throws {
        let fixture = try await AccountExportFixture()
        let reason = try #require(OperatorReason("order 7"))
        let support = AccountSupport(
            accounts: fixture.service.components.accounts, codes: fixture.service.components.deletionCodes)
        try await support.placeHold(on: fixture.user, reason: reason)
        _ = try await support.scheduleDeletion(of: fixture.user, reason: reason)
        #expect(try await Self.write(fixture).summary.isComplete)
        _ = try await support.releaseHold(of: fixture.user, reason: reason)
        fixture.service.clock.advance(by: 15 * 86_400)
        await #expect(throws: AccountSupport.Refusal.erasing) {
            // The erasure begins while the archive is written.
            var isErasing = false
            _ = try await fixture.service.services.operatorExport.write(fixture.user, reason: reason) { _ in
                guard !isErasing else { return }
                isErasing = true
                try await fixture.service.services.accountErasure.eraseDueAccounts()
            }
        }
        await #expect(throws: AccountSupport.Refusal.erasing) { try await Self.write(fixture) }
        await #expect(throws: AccountSupport.Refusal.notFound) {
            try await fixture.service.services.operatorExport.write(UserID(uuid: UUID()), reason: reason) { _ in }
        }
    }

    @Test("the credentials only read, and are renewed before they expire")
    func renewal() async throws {
        let fixture = try await AccountExportFixture()
        let (live, reason) = (fixture.service.services.operatorExport, try #require(OperatorReason("slow disk")))
        let issuer = RecordingIssuer(live.credentials)
        let export = OperatorExport(
            support: live.support, libraries: live.libraries, credentials: issuer, files: live.files,
            signer: live.signer, randomness: live.randomness, now: live.now)
        let start = live.now()
        _ = try await export.write(fixture.user, reason: reason) { _ in }
        #expect(issuer.grants.map(\.expiresAt) == [start.addingTimeInterval(3600)])
        _ = try await export.write(fixture.user, reason: reason) { _ in fixture.service.clock.advance(by: 600) }
        let renewed = issuer.grants.dropFirst()
        #expect(renewed.count > 1)
        #expect(zip(renewed, renewed.dropFirst()).allSatisfy { $1.expiresAt > $0.expiresAt })
        #expect(issuer.grants.allSatisfy { $0.user == fixture.user && $0.access == .read })
    }
}

/// Records the grants for which it issues credentials.
private final class RecordingIssuer: CredentialIssuer {
    private let issuer: any CredentialIssuer
    private let recorded = Mutex<[StorageGrant]>([])

    init(_ issuer: any CredentialIssuer) { self.issuer = issuer }

    var grants: [StorageGrant] { recorded.withLock { $0 } }
    var endsWithSession: Bool { issuer.endsWithSession }

    func issue(_ grant: StorageGrant) async throws(CredentialIssuerError) -> StorageCredentials {
        recorded.withLock { $0.append(grant) }
        return try await issuer.issue(grant)
    }
}
