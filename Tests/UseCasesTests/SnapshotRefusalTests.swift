import AccountMaintenance
import Accounts
import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import Testing
import UseCases

/// Recoveries that must be refused without a write.
@Suite struct SnapshotRefusalTests {
    /// Recovers and expects that nothing was written.
    private func refusal(
        _ fixture: SnapshotFixture, _ file: Data, environment: DeploymentEnvironment = .dev,
        subjects: KeyEncoding.Mode? = nil, keyRing: KeyRing? = nil
    ) async throws -> SnapshotError? {
        let target = emptyStore()
        var refusal: SnapshotError?
        do {
            _ = try await fixture.recover(
                file, into: target, environment: environment, subjects: subjects, keyRing: keyRing)
        } catch {
            refusal = error
        }
        if refusal != nil { #expect(try await target.contents().isEmpty) }
        return refusal
    }

    @Test("a file with any modified byte is rejected before anything is written")
    func changedByte() async throws {
        let fixture = try await SnapshotFixture.make()
        _ = try await fixture.service.signUp(.apple, "bob")
        let file = try await fixture.snapshot()
        for offset in stride(from: 0, to: file.count, by: 3) {
            var changed = file
            changed[offset] ^= 1
            #expect(try await refusal(fixture, changed) != nil, "byte \(offset) of \(file.count)")
        }
    }

    @Test("a truncated or extended file is rejected before anything is written")
    func cutOff() async throws {
        let fixture = try await SnapshotFixture.make()
        _ = try await fixture.service.signUp(.apple, "bob")
        let file = try await fixture.snapshot()
        for length in stride(from: 0, to: file.count, by: 29) {
            #expect(try await refusal(fixture, file.prefix(length)) != nil, "the first \(length) bytes")
        }
        let lines = file.split(separator: UInt8(ascii: "\n"))
        for left in lines.indices {
            let others = lines.enumerated().filter { $0.offset != left }.flatMap { $0.element + [UInt8(ascii: "\n")] }
            #expect(try await refusal(fixture, Data(others)) != nil, "without line \(left + 1)")
        }
        #expect(try await refusal(fixture, file + Data("\n".utf8)) == .damaged(line: lines.count + 1))
        #expect(try await refusal(fixture, file + file) == .damaged(line: lines.count + 1))
    }

    @Test("a well-formed file made without the master key is rejected")
    func forged() async throws {
        let fixture = try await SnapshotFixture.make()
        _ = try await fixture.service.signUp(.apple, "bob")
        let other = KeyRing(current: try #require(MasterKey(id: "test", bytes: Data(repeating: 1, count: 32))))
        let file = try await fixture.snapshot()
        #expect(try await refusal(fixture, file, keyRing: other) == .notAuthentic(keyID: "test"))
        let renamed = KeyRing(current: try #require(MasterKey(id: "k2", bytes: Data(repeating: 7, count: 32))))
        #expect(try await refusal(fixture, file, keyRing: renamed) == .missingKey("test"))
    }

    @Test("a snapshot of another environment or key encoding is rejected")
    func otherStore() async throws {
        let fixture = try await SnapshotFixture.make()
        _ = try await fixture.service.signUp(.apple, "bob")
        let file = try await fixture.snapshot()
        #expect(try await refusal(fixture, file, environment: .prod) == .storeMismatch(.environmentMismatch(.dev)))
        #expect(try await refusal(fixture, file, subjects: .hashed) == .storeMismatch(.keyEncodingMismatch(.plain)))
        #expect(try await refusal(fixture, file, subjects: .plain) == nil)
    }

    @Test("a store that already has its own accounts data is left unchanged")
    func occupied() async throws {
        let fixture = try await SnapshotFixture.make()
        _ = try await fixture.service.signUp(.apple, "bob")
        let file = try await fixture.snapshot()
        for key in ["identities/apple/eve", "accounts/x/account.json", "service/store.json", "service/providers/apple"]
        {
            let target = emptyStore()
            _ = try await target.put(ObjectKey(known: key), ByteBuffer(string: "mine"), if: .always)
            await #expect(throws: SnapshotError.storeNotEmpty(key)) { try await fixture.recover(file, into: target) }
            #expect(try await target.contents() == [key: "mine"])
        }
        let target = emptyStore()
        _ = try await target.put(ObjectKey(known: "photos/x/y.dat"), ByteBuffer(string: "photo"), if: .always)
        try await fixture.recover(file, into: target)
        await #expect(throws: SnapshotError.storeNotEmpty("service/store.json")) {
            try await fixture.recover(file, into: target)
        }
    }

    @Test("an object written by another process during recovery is never taken for the snapshot's own")
    func occupiedMeanwhile() async throws {
        let fixture = try await SnapshotFixture.make()
        _ = try await fixture.service.signUp(.apple, "bob")
        let file = try await fixture.snapshot()
        let claim = ObjectKey(known: "identities/apple/bob")
        var (call, refusals) = (0, 0)
        while let isRefused = try await refuses(file, of: fixture, putting: claim, before: call) {
            call += 1
            refusals += isRefused ? 1 : 0
        }
        #expect(refusals > 1)
    }

    /// - Returns: `nil` if recovery makes no such request.
    private func refuses(
        _ file: Data, of fixture: SnapshotFixture, putting key: ObjectKey, before call: Int
    ) async throws -> Bool? {
        let target = emptyStore()
        let interrupted = InterruptedObjectStore(target)
        interrupted.interrupt(before: call) {
            _ = try? await target.put(key, ByteBuffer(string: "mine"), if: .absent)
        }
        let told: SnapshotError?
        do {
            try await fixture.recover(file, into: interrupted)
            told = nil
        } catch {
            told = error
        }
        guard !interrupted.isWaiting else { return nil }
        let isMine = try await target.get(key)?.bytes == ByteBuffer(string: "mine")
        #expect(told == (isMine ? .storeNotEmpty(key.description) : nil), "before request \(call)")
        return isMine
    }

    @Test("a dry run writes nothing and reports the same as a real recovery")
    func dryRun() async throws {
        let fixture = try await SnapshotFixture.make()
        _ = try await fixture.people()
        let file = try await fixture.snapshot()
        let target = emptyStore()
        let told = try await fixture.recover(file, into: target, isDryRun: true)
        #expect(try await target.contents().isEmpty)
        #expect(try await fixture.recover(file, into: target) == told)
        await #expect(throws: SnapshotError.storeNotEmpty("service/store.json")) {
            try await fixture.recover(file, into: target, isDryRun: true)
        }
    }
}
