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
        case .claim: summary.claims += 1
        case .hint:
            summary.hints += 1
            note(key.description.split(separator: "/").last?.split(separator: "-").first)
        case .account:
            summary.accounts += 1
            Documents<AccountDocument>.read(bytes).map { noteKeys(of: $0) }
        case .stamp:
            let stamp = Documents<StoreStamp>.read(bytes)
            note(stamp?.subjectKeyID[...])
            note(stamp?.migration?.subjectKeyID[...])
        case .other: break
        }
    }

    private mutating func noteKeys(of account: AccountDocument) {
        note(account.audit.seal.keyID[...])
        for link in account.links {
            note(link.sealedSubject?.split(separator: ".").first)
            note(link.sealedEmail?.split(separator: ".").first)
            note(link.emailHint?.split(separator: "-").first)
        }
    }

    private mutating func note(_ keyID: Substring?) {
        if let keyID { keyIDs.insert(String(keyID)) }
    }

    private mutating func write(_ line: SnapshotLine) throws(SnapshotError) {
        let bytes = try line.bytes()
        bytes.withUnsafeReadableBytes { hash.update(bufferPointer: $0) }
        try sink(bytes)
    }
}
