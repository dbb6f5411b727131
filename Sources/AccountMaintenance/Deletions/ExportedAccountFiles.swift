import Accounts
import Crypto
import Foundation
import PhotolalaAPI
import Secrets

/// The files of an export that name a person's links, devices and identities.
package struct ExportedAccountFiles {
    /// Why a file cannot be used.
    package enum Failure: Error, Equatable, CustomStringConvertible, Sendable {
        case unreadable
        case notAnExport
        /// This store did not sign the manifest, or the files are not those that it lists.
        case notSigned

        package var description: String {
            switch self {
            case .unreadable: "cannot be read"
            case .notAnExport: "is not an export of an account"
            case .notSigned: "is not an export that this store signed, or was changed"
            }
        }
    }

    /// `account/account.json`, as far as it is used.
    struct Account: Decodable {
        struct Shown: Decodable {
            struct Provider: Decodable { let email: String? }

            let serviceUserID: UserID
            let linkedProviders: [Provider]
        }

        struct Identity: Decodable {
            let id: LinkID
            let provider: ProviderName
            let subject: String?
            let linkedByDevice: DeviceID?
            let emailHint: String?
        }

        let account: Shown
        let identities: [Identity]
    }

    private static let names = ["account/account.json", "account/devices.json", "account/audit-log.jsonl"]
    private static let manifest = "manifest.json"
    private static let signature = "manifest.jws"
    /// The largest file that is read, in bytes.
    private static let limit: UInt64 = 1 << 30

    private var files: [String: Data] = [:]

    /// Reads the files and verifies them. An export is a ZIP archive without compression. The photos are skipped.
    /// - Parameter key: signed the manifest.
    init(_ url: URL, signedBy key: ErasureKey) async throws {
        try read(url)
        try await verify(key)
    }

    private mutating func read(_ url: URL) throws {
        let wanted = Self.names + [Self.manifest, Self.signature]
        guard let handle = FileHandle(forReadingAtPath: url.path) else { throw Failure.unreadable }
        defer { try? handle.close() }
        while files.count < wanted.count {
            guard let header = try handle.read(upToCount: 30), header.count == 30,
                header.starts(with: [0x50, 0x4b, 3, 4])
            else { throw Failure.notAnExport }
            // A data descriptor or a compression: not written by an export.
            guard Self.number(header, 6, 2) & 8 == 0, Self.number(header, 8, 2) == 0 else { throw Failure.notAnExport }
            let name = try Self.read(handle, Self.number(header, 26, 2))
            let extra = try Self.read(handle, Self.number(header, 28, 2))
            var size = Self.number(header, 22, 4)
            if size == 0xffff_ffff {
                guard extra.count >= 12, Self.number(extra, 0, 2) == 1 else { throw Failure.notAnExport }
                size = Self.number(extra, 4, 8)
            }
            let path = String(decoding: name, as: UTF8.self)
            if wanted.contains(path) {
                guard size <= Self.limit, files[path] == nil else { throw Failure.notAnExport }
                files[path] = try Self.read(handle, size)
            } else {
                let (end, isOverflow) = try handle.offset().addingReportingOverflow(size)
                guard !isOverflow, end <= UInt64(Int64.max) else { throw Failure.notAnExport }
                try handle.seek(toOffset: end)
            }
        }
    }

    /// Requires that the key signed the manifest, and that it lists the files with their digests.
    private func verify(_ key: ErasureKey) async throws {
        struct Statement: Decodable {
            let sub: UserID
            let manifest_sha256: String
        }
        struct Member: Decodable {
            let path: String
            let sha256: String
        }
        let manifest = files[Self.manifest] ?? Data()
        let token = String(decoding: files[Self.signature] ?? Data(), as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        guard let json = try await key.verify(token, type: ErasureKey.exportType),
            let statement = try? JSONDecoder().decode(Statement.self, from: json),
            statement.manifest_sha256 == Self.digest(manifest), try account().account.serviceUserID == statement.sub
        else { throw Failure.notSigned }
        var listed: [String: String] = [:]
        // One file in each line.
        for line in manifest.split(separator: UInt8(ascii: "\n")) where line.starts(with: Self.linePrefix) {
            let text = line.last == UInt8(ascii: ",") ? line.dropLast() : line
            guard let member = try? JSONDecoder().decode(Member.self, from: Data(text)) else { throw Failure.notSigned }
            listed[member.path] = member.sha256
        }
        for name in Self.names where listed[name] != Self.digest(files[name] ?? Data()) { throw Failure.notSigned }
    }

    private static let linePrefix = Data(#"{"path":"account/"#.utf8)

    private static func digest(_ bytes: Data) -> String { Hex.encode(SHA256.hash(data: bytes)) }

    private static func read(_ handle: FileHandle, _ count: UInt64) throws -> Data {
        guard count > 0 else { return Data() }
        guard let data = try handle.read(upToCount: Int(count)), data.count == count else { throw Failure.notAnExport }
        return data
    }

    /// Returns a little-endian number.
    private static func number(_ data: Data, _ offset: Int, _ count: Int) -> UInt64 {
        data.dropFirst(offset).prefix(count).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }

    func account() throws(Failure) -> Account { try decode(Account.self, Self.names[0]) }

    func devices() throws(Failure) -> [DeviceID] {
        struct Device: Decodable { let id: DeviceID }
        return try decode([Device].self, Self.names[1]).map(\.id)
    }

    func auditEntries() throws(Failure) -> [AuditEntry] {
        var entries: [AuditEntry] = []
        for line in (files[Self.names[2]] ?? Data()).split(separator: UInt8(ascii: "\n")) {
            guard let entry = AuditEntry.decode(Data(line)) else { throw .notAnExport }
            entries.append(entry)
        }
        return entries
    }

    private func decode<Value: Decodable>(_ type: Value.Type, _ name: String) throws(Failure) -> Value {
        guard let value = try? JSONDecoder().decode(type, from: files[name] ?? Data()) else { throw .notAnExport }
        return value
    }
}
