import Accounts
import Crypto
import Foundation
import NIOCore
import ObjectStorage
import Secrets

/// Assembles the lines of a snapshot file, and counts and seals its contents.
struct SnapshotWriter: Sendable {
    private let sink: StoreSnapshot.Sink
    private var hash = SHA256()
    private var keyIDs: Set<String> = []
    private(set) var summary: SnapshotSummary

    init(startedAt: Date, to sink: @escaping StoreSnapshot.Sink) throws(SnapshotError) {
        self.sink = sink
        summary = SnapshotSummary(startedAt: startedAt, finishedAt: startedAt)
        try write(
            SnapshotLine(header: .init(version: SnapshotLine.Header.currentVersion, startedAt: startedAt)))
    }

    mutating func add(_ piece: StoreSnapshot.Piece) throws(SnapshotError) {
        summary.unreadable += piece.unreadable.count
        for object in piece.objects { try add(object.key, object.bytes) }
    }

    /// Writes the end of the file.
    mutating func finish(_ keyRing: KeyRing, at time: Date) throws(SnapshotError) -> SnapshotSummary {
        let keyID = keyRing.currentKeyID
        summary.keyIDs = keyIDs.union([keyID]).sorted()
        summary.finishedAt = time
        try write(SnapshotLine(summary: summary))
        let digest = Hex.encode(hash.finalize())
        guard let code = try? keyRing.authenticationCode(of: Data(digest.utf8), for: .snapshot, keyID: keyID) else {
            throw .missingKey(keyID)
        }
        try write(SnapshotLine(seal: .init(keyID: keyID, sha256: digest, code: code)))
        return summary
    }

    private mutating func add(_ key: ObjectKey, _ bytes: ByteBuffer) throws(SnapshotError) {
        let body = Data(bytes.readableBytesView)
        let digest = Hex.encode(SHA256.hash(data: body))
        try write(SnapshotLine(object: .init(key: key.description, sha256: digest, body: body)))
        summary.objects += 1
        switch SnapshotScope.kind(of: key) {
        case .binding: summary.claims += 1
        case .hint:
            summary.hints += 1
            recordKeyID(key.description.split(separator: "/").last?.split(separator: "-").first)
        case .account:
            summary.accounts += 1
            Documents<AccountDocument>.decode(bytes).map { recordKeyIDs(of: $0) }
        case .manifest:
            let manifest = Documents<StoreManifest>.decode(bytes)
            recordKeyID(manifest?.subjectKeyID[...])
            recordKeyID(manifest?.migration?.subjectKeyID[...])
        case .other: break
        }
    }

    private mutating func recordKeyIDs(of account: AccountDocument) {
        recordKeyID(account.audit.seal.keyID[...])
        recordKeyID(account.sealedName?.split(separator: ".").first)
        recordKeyID(account.arrival?.sealedSource.split(separator: ".").first)
        for link in account.links {
            recordKeyID(link.sealedSubject?.split(separator: ".").first)
            recordKeyID(link.sealedEmail?.split(separator: ".").first)
            recordKeyID(link.emailHint?.split(separator: "-").first)
        }
    }

    private mutating func recordKeyID(_ keyID: Substring?) {
        if let keyID { keyIDs.insert(String(keyID)) }
    }

    private mutating func write(_ line: SnapshotLine) throws(SnapshotError) {
        let bytes = try line.encoded()
        bytes.withUnsafeReadableBytes { hash.update(bufferPointer: $0) }
        try sink(bytes)
    }
}
