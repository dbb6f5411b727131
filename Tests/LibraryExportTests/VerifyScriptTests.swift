import Foundation
import LibraryExport
import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import Testing

/// The script in an export, run as the person who has the export runs it.
@Suite struct VerifyScriptTests {
    private let folder: TemporaryFolder
    private let script: URL

    init() throws {
        folder = try TemporaryFolder()
        script = URL(filePath: folder.subpath("verify-export"))
        try Data(ExportFile.verifyScript.bytes.readableBytesView).write(to: script)
    }

    /// - Parameter keys: the keys that the service publishes; those in the archive if `nil`.
    private func verify(_ archive: URL, keys: String? = nil) async throws -> (status: Int32, output: String) {
        guard let keys else { return try await ChildProcess.run(python, [script.path, archive.path]) }
        let file = folder.subpath("published-keys.json")
        try Data(keys.utf8).write(to: URL(filePath: file))
        return try await ChildProcess.run(python, [script.path, archive.path, "--keys", file])
    }

    private func archive(signedBy digests: RecordedDigests, keys: String? = nil) async throws -> URL {
        var fixture = try ExportFixture(signedBy: digests)
        fixture.includedKeys = keys
        try await fixture.add("a.jpg", Data("photo".utf8))
        return try await fixture.archive(in: folder)
    }

    @Test("a forged signature does not verify, in an archive that is consistent otherwise")
    func forgedSignature() async throws {
        let forgeries: [(String, @Sendable (String) -> String)] = [
            ("another signature", Self.changing(2) { $0[10] ^= 1 }),
            ("zeros", Self.changing(2) { $0 = Data(count: 64) }),
            ("another statement", Self.changing(1) { $0[$0.count - 5] ^= 1 }),
        ]
        for (name, forge) in forgeries {
            let digests = RecordedDigests(forge: forge)
            let read = try await verify(try await archive(signedBy: digests), keys: digests.keys)
            #expect(read.status == 1, "\(name): \(read.output)")
            #expect(read.output.contains("FAILED  signature: does not match key a"), "\(name): \(read.output)")
        }
        for header in [
            #"{"alg":"none","kid":"a","typ":"photolala-export+jwt"}"#,
            #"{"alg":"ES256","kid":"a","typ":"photolala-deletion-receipt+jwt"}"#,
            #"{"alg":"ES256","crit":["b64"],"kid":"a","typ":"photolala-export+jwt"}"#,
        ] {
            let digests = RecordedDigests(header: header)
            let read = try await verify(try await archive(signedBy: digests), keys: digests.keys)
            #expect(read.status == 1 && read.output.contains("FAILED  signature header"), "\(read.output)")
        }
    }

    @Test("an archive that another key signed does not verify with the service's keys, nor with an exchanged keys.json")
    func exchangedKey() async throws {
        let (service, forger) = (RecordedDigests(), RecordedDigests())
        let forged = try await archive(signedBy: forger)
        #expect(try await verify(forged).status == 0, "its own keys prove only that it is consistent")
        let read = try await verify(forged, keys: service.keys)
        #expect(read.status == 1 && read.output.contains("does not match key a"), "\(read.output)")
        let unknown = try await verify(forged, keys: service.keys.replacing(#""kid":"a""#, with: #""kid":"b""#))
        #expect(unknown.status == 1 && unknown.output.contains("no key a in the keys"), "\(unknown.output)")
        let none = try await verify(forged, keys: #"{"keys":[]}"#)
        #expect(none.status == 1 && none.output.contains("no key a"), "\(none.output)")
        for text in [#"{"environment":"prod"}"#, #"{"keys":[1]}"#, "keys", ""] {
            let other = try await verify(forged, keys: text)
            #expect(other.status == 1 && other.output.contains("not a set of public keys (JWKS)"), "\(other.output)")
        }
        let exchanged = try await archive(signedBy: service, keys: forger.keys)
        #expect(try await verify(exchanged).status == 1)
        #expect(try await verify(exchanged, keys: service.keys).status == 0)
    }

    /// Returns a change of the bytes of one part of a compact JWS.
    private static func changing(
        _ part: Int, _ change: @escaping @Sendable (inout Data) -> Void
    ) -> @Sendable (String) -> String {
        { token in
            var parts = token.split(separator: ".").map(String.init)
            guard var bytes = Base64URL.decode(parts[part]) else { return token }
            change(&bytes)
            parts[part] = Base64URL.encode(bytes)
            return parts.joined(separator: ".")
        }
    }

    @Test("an export without missing photos verifies")
    func intact() async throws {
        let read = try await verify(try await ExportFixture.sample().archive(in: folder))
        #expect(read.status == 0, "\(read.output)")
        #expect(read.output.contains("verified: "))
    }

    @Test("a changed byte of any file, and a cut archive, do not verify")
    func changed() async throws {
        let file = try await ExportFixture.sample().archive(in: folder)
        let whole = try Data(contentsOf: file)
        for text in ["first photo", "\"sequence\":1", "photoTakenTime", "\"damaged\":false", "Your Photolala export"] {
            let place = try #require(whole.firstRange(of: Data(text.utf8)))
            var bytes = whole
            bytes[place.lowerBound + 3] ^= 1
            try bytes.write(to: file)
            let read = try await verify(file)
            #expect(read.status == 1, "\(text): \(read.output)")
        }
        try whole.prefix(whole.count / 2).write(to: file)
        #expect(try await verify(file).status != 0)
    }

    @Test("missing and damaged photos are named")
    func damaged() async throws {
        var fixture = try await ExportFixture.sample()
        try fixture.list("lost.jpg", Data("never stored".utf8))
        let (first, odd) = (Data("first photo".utf8), Data("odd".utf8))
        // One has other bytes of the same length, one is too short.
        _ = try await fixture.store.put(fixture.key(first), ByteBuffer(string: "First photo"), if: .always)
        _ = try await fixture.store.put(fixture.key(odd), ByteBuffer(string: "o"), if: .always)
        let read = try await verify(try await fixture.archive(in: folder))
        #expect(read.status == 3, "\(read.output)")
        for name in ["lost.jpg", "photos/2024/IMG_1.jpg", "back_slash_"] {
            #expect(read.output.contains(name), "\(read.output)")
        }
    }

    @Test("a photo that disappears after the export was laid out is named as damaged")
    func disappeared() async throws {
        let fixture = try await ExportFixture.sample()
        let plan = try await fixture.plan()
        try await fixture.store.delete(fixture.key(Data(repeating: 7, count: 70_000)), if: .always)
        let file = URL(filePath: folder.subpath("export.zip"))
        try await fixture.bytes(plan).write(to: file)
        let read = try await verify(file)
        #expect(read.status == 3 && read.output.contains("photos/2024/Zürich"), "\(read.output)")
    }

    @Test("an archive that other programs could read in another way does not verify")
    func ambiguous() async throws {
        let file = try await ExportFixture.sample().archive(in: folder)
        let whole = try Data(contentsOf: file)
        let directory = try #require(whole.firstRange(of: Data([0x50, 0x4b, 1, 2]))).lowerBound
        let changes: [(String, (inout Data) -> Void)] = [
            ("bytes after the end", { $0.append(0) }), ("bytes before the beginning", { $0.insert(0, at: 0) }),
            ("the CRC in a local header", { $0[14] ^= 1 }), ("the name in a local header", { $0[30] ^= 1 }),
            ("the flags of a local header", { $0[7] ^= 8 }), ("an extra field of a local header", { $0[30 + 11] ^= 1 }),
            ("a needed version", { $0[directory + 6] ^= 1 }), ("a date in the directory", { $0[directory + 12] ^= 1 }),
            ("an attribute", { $0[directory + 38] ^= 0x10 }), ("a system", { $0[directory + 5] ^= 3 }),
            ("a size in the directory", { $0[directory + 20] ^= 1 }),
            ("a file mode", { $0[directory + 41] ^= 8 }), ("a flag in the directory", { $0[directory + 9] ^= 8 }),
            (
                "a comment",
                {
                    $0[$0.count - 2] = 1; $0.append(7)
                }
            ),
        ]
        for (name, change) in changes {
            var bytes = whole
            change(&bytes)
            try bytes.write(to: file)
            let read = try await verify(file)
            #expect(read.status == 1, "\(name): \(read.output)")
        }
    }

    @Test("an export of a damaged catalog is not complete")
    func damagedCatalog() async throws {
        var fixture = try ExportFixture()
        fixture.isCatalogDamaged = true
        try await fixture.store(Data("photo".utf8))
        let read = try await verify(try await fixture.archive(in: folder))
        #expect(read.status == 3 && read.output.contains("catalog"), "\(read.output)")
    }
}
