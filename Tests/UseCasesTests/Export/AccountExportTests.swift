import Accounts
import Foundation
import LibraryExport
import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import Testing

@testable import UseCases

/// Exports of accounts, as the server makes them.
@Suite struct AccountExportTests {
    @Test("an export verifies with its own script and the published keys")
    func verifies() async throws {
        let (fixture, folder) = (try await AccountExportFixture(), try TemporaryFolder())
        let export = try await fixture.create()
        #expect(export.photos == 3 && export.missingPhotos == 0 && !export.isCatalogDamaged)
        let bytes = try await fixture.bytes(of: export)
        #expect(Int64(bytes.count) == export.size)
        let (archive, script, keys) = (folder.subpath("e.zip"), folder.subpath("verify"), folder.subpath("keys.json"))
        try bytes.write(to: URL(filePath: archive))
        try Data(ExportFile.verifyScript.bytes.readableBytesView).write(to: URL(filePath: script))
        try Data(try await fixture.service.services.deletion.receiptKeys().utf8).write(to: URL(filePath: keys))
        let read = try await ChildProcess.run(
            URL(filePath: "/usr/bin/python3"), [script, archive, "--keys", keys])
        #expect(read.status == 0, "\(read.output)")
        #expect(try await fixture.bytes(of: export) == bytes, "a second download has the same bytes")
    }

    @Test("an export has every kind of personal data that the registry exports")
    func contents() async throws {
        let fixture = try await AccountExportFixture()
        let files = try await fixture.files(of: try await fixture.create())
        for kind in PersonalData.all {
            guard case .json(let name) = kind.export else { continue }
            #expect(files["account/\(name)"] != nil, "\(kind.name)")
            #expect(files["index.html"]?.contains("account/\(name)") == true)
        }
        let account = try #require(files["account/account.json"])
        for text in ["\"subject\" : \"bob\"", "\"provider\" : \"google\"", "\(fixture.user)"] {
            #expect(account.contains(text), "\(account)")
        }
        #expect(files["account/profile.json"]?.contains("Bob Example") == true)
        #expect(files["account/devices.json"]?.contains(TestService.device(2).name) == true)
        let log = try #require(files["account/audit-log.jsonl"])
        let document = try #require(try await fixture.service.components.accounts.account(fixture.user)).value
        #expect(log.split(separator: "\n").count == document.audit.sequence - 1, "all entries before the export")
        #expect(files["account/history.json"]?.contains("provider.linked") == true)
        #expect(try await fixture.service.auditEvents(of: fixture.user).contains(.accountExported))
    }

    @Test("an export has the profile picture as a file, with the extension of its format")
    func picture() async throws {
        let fixture = try await AccountExportFixture(photos: 0)
        #expect(try await fixture.files(of: try await fixture.create()).keys.allSatisfy { !$0.contains("picture") })
        let bytes = PhotoBytes.webP(width: 9, height: 9)
        _ = try await fixture.service.services.account.replacePicture(
            fixture.user, with: ByteBuffer(bytes: bytes), if: .any, caller: try await fixture.caller())
        _ = try await fixture.create()
        let files = try await fixture.service.services.export.files(try await fixture.caller()).files
        #expect(files.first { $0.path == "account/picture.webp" }?.content == Data(bytes))
    }

    @Test("the person's other data is exported, and what is too large is named")
    func otherData() async throws {
        let fixture = try await AccountExportFixture(photos: 0)
        let prefix = StorageLayout.userData(fixture.user)
        for (name, size) in [("avatar.jpg", 3), ("notes/a", 1), ("notes/a/b", 1), ("video", 33 << 20)] {
            let bytes = ByteBuffer(repeating: 7, count: size)
            _ = try await fixture.memory.put(ObjectKey(known: prefix + name), bytes, if: .always)
        }
        let files = try await fixture.files(of: try await fixture.create())
        #expect(files["account/files/avatar.jpg"]?.utf8.count == 3 && files["account/files/notes/a"] != nil)
        let missing = try #require(files["missing.json"])
        for name in ["notes/a/b", "video"] {
            #expect(files["account/files/\(name)"] == nil && missing.contains("\(prefix)\(name)"), "\(name)")
        }
        let device = try await fixture.service.services.export.files(try await fixture.caller())
        #expect(device.leftOut.map(\.size) == [1, 33 << 20])
        #expect(device.files.contains { $0.path == "account/files/avatar.jpg" && $0.content == Data([7, 7, 7]) })
    }

    @Test("a new export replaces the one before, and an expired one is removed")
    func replacement() async throws {
        let fixture = try await AccountExportFixture()
        let first = try await fixture.create()
        _ = try await fixture.bytes(of: first)
        let second = try await fixture.create()
        await #expect(throws: ServiceError.notFound) { try await fixture.bytes(of: first) }
        #expect(try await fixture.storedKeys() == [StorageLayout.exportHead(fixture.user, second.id)])
        let export = fixture.service.services.export
        #expect(export.current(try await fixture.caller()).export == second)
        fixture.service.clock.advance(by: AccountExportService.validity - 1)
        try await fixture.service.services.usageCount.countUsage()
        #expect(try await fixture.storedKeys().count == 1)
        fixture.service.clock.advance(by: 1)
        let later = try await fixture.service.signIn(.apple, "bob", device: 3).session
        let caller = try await fixture.service.caller(later)
        #expect(export.current(caller).export == nil)
        await #expect(throws: ServiceError.notFound) { try await export.open(second.id, caller: caller) }
        try await fixture.service.services.usageCount.countUsage()
        #expect(try await fixture.storedKeys() == [])
        #expect(try await fixture.service.components.accounts.account(fixture.user)?.value.export == nil)
    }

    @Test("another account cannot download an export")
    func otherAccount() async throws {
        let fixture = try await AccountExportFixture()
        let export = try await fixture.create()
        let eve = try await fixture.service.caller(try await fixture.service.signUp(.google, "eve", device: 9).session)
        await #expect(throws: ServiceError.notFound) {
            try await fixture.service.services.export.open(export.id, caller: eve)
        }
    }

    @Test("a download ends within a minute after its session has ended")
    func endedSession() async throws {
        let fixture = try await AccountExportFixture()
        let export = try await fixture.create()
        let download = try await fixture.service.services.export.open(export.id, caller: try await fixture.caller())
            .open()
        try await fixture.service.services.sessions.signOutEverywhere(try await fixture.caller())
        fixture.service.clock.advance(by: 61)
        await #expect(throws: ServiceError.sessionEnded) { try await download.read(0..<export.size) { _ in } }
    }

    @Test("only the device that requested an export downloads it")
    func otherDevice() async throws {
        let fixture = try await AccountExportFixture()
        let export = try await fixture.create()
        let phone = try await fixture.service.caller(
            try await fixture.service.signIn(.google, "bob", device: 2).session)
        #expect(fixture.service.services.export.current(phone).export == nil)
        await #expect(throws: ServiceError.notFound) {
            try await fixture.service.services.export.open(export.id, caller: phone)
        }
        let again = try await fixture.service.caller(
            try await fixture.service.signIn(.google, "bob", device: 1).session)
        #expect(fixture.service.services.export.current(again).export == export, "after another sign-in there")
    }

    @Test("of two exports that are created at once, one can be downloaded, and nothing else stays")
    func simultaneousCreation() async throws {
        let fixture = try await AccountExportFixture()
        let caller = try await fixture.caller()
        await withTaskGroup { group in
            for _ in 0..<3 { group.addTask { _ = try? await fixture.service.services.export.create(caller) } }
        }
        let current = try #require(fixture.service.services.export.current(try await fixture.caller()).export)
        #expect(try await fixture.bytes(of: current).count == Int(current.size))
        let prefix = StorageLayout.export(fixture.user, current.id)
        #expect(try await fixture.storedKeys().allSatisfy { $0.hasPrefix(prefix) })
    }

    @Test("a download that goes on while the account is erased stores nothing")
    func erasedMeanwhile() async throws {
        let fixture = try await DeletionFixture()
        try await fixture.schedule()
        let back = try await fixture.service.signIn(.apple, DeletionFixture.subject)
        let export = try await fixture.services.export.create(try await fixture.service.caller(back.session))
        let caller = try await fixture.service.caller(back.session)
        let download = try await fixture.services.export.open(export.id, caller: caller).open()
        fixture.clock.advance(by: 14 * 86_400)
        try await fixture.eraseCompletely()
        await #expect(throws: ServiceError.sessionEnded) { try await download.read(0..<export.size) { _ in } }
        #expect(try await fixture.traces() == [])
    }

    @Test("an account has at most four simultaneous downloads")
    func simultaneous() async throws {
        let fixture = try await AccountExportFixture()
        let export = try await fixture.create()
        let caller = try await fixture.caller()
        var downloads: [ExportDownload] = []
        for _ in 0..<4 { downloads.append(try await fixture.service.services.export.open(export.id, caller: caller)) }
        await #expect(throws: ServiceError.rateLimited(retryAfter: 10)) {
            try await fixture.service.services.export.open(export.id, caller: caller)
        }
        #expect(downloads.count == 4)
        downloads.removeLast()
        _ = try await fixture.service.services.export.open(export.id, caller: caller)
    }

    @Test("an export works while the deletion of the account is scheduled, and is erased with it")
    func whileDeleting() async throws {
        let fixture = try await DeletionFixture()
        try await fixture.schedule()
        let back = try await fixture.service.signIn(.apple, DeletionFixture.subject)
        let caller = try await fixture.service.caller(back.session)
        let export = try await fixture.services.export.create(caller)
        // The fixture's catalog is no catalog.
        #expect(export.isCatalogDamaged && export.photos == 2)
        let later = try await fixture.service.caller(back.session)
        let download = try await fixture.services.export.open(export.id, caller: later)
        var size: Int64 = 0
        try await download.open().read(0..<export.size) { size += Int64($0.readableBytes) }
        #expect(size == export.size)
        fixture.clock.advance(by: 14 * 86_400)
        try await fixture.eraseCompletely()
        #expect(try await fixture.traces() == [])
        let erased = try #require(try await fixture.receipt()["erased"] as? [String: [String: Int]])
        #expect(erased["exports"]?["objects"] == 3, "the head, a block of digests and the signature")
    }

    @Test("whatever fails at any request, the next export works and nothing of the failed one stays")
    func faults() async throws {
        for fault in FaultyObjectStore.Fault.allCases {
            var call = 0
            while true {
                let fixture = try await AccountExportFixture(photos: 1)
                let copy = fixture.memory.copy { fixture.service.clock.now }
                let faulty = FaultyObjectStore(copy)
                let service = try await TestService.make(.init(), store: faulty, clock: fixture.service.clock)
                let session = try await service.signIn(.apple, "bob", device: 1).session
                let caller = try await service.caller(session)
                faulty.arm(fault, at: call)
                _ = try? await service.services.export.create(caller)
                let isOver = faulty.faultedRequest == .nothing
                await faulty.applyLateChange()
                let working = try await TestService.make(.init(), store: copy, clock: fixture.service.clock)
                let again = try await working.signIn(.apple, "bob", device: 1).session
                let export = working.services.export
                let second = try await export.create(try await working.caller(again))
                let download = try await export.open(second.id, caller: try await working.caller(again))
                var size: Int64 = 0
                try await download.open().read(0..<second.size) { size += Int64($0.readableBytes) }
                #expect(size == second.size, "\(fault) at request \(call)")
                let prefix = StorageLayout.export(fixture.user, second.id)
                let keys = try await copy.list(prefix: StorageLayout.exports(fixture.user), after: nil, limit: 100)
                    .objects
                #expect(keys.allSatisfy { $0.key.description.hasPrefix(prefix) }, "\(fault) at request \(call)")
                if isOver { break }
                call += 1
            }
            #expect(call > 5)
        }
    }

    @Test("a signature of an export that a device assembled says so, and needs a digest", arguments: ["", "AB", "zz"])
    func signatures(text: String) async throws {
        let fixture = try await AccountExportFixture(photos: 0)
        let export = fixture.service.services.export
        let caller = try await fixture.caller()
        await #expect(throws: ServiceError.invalidRequest("manifestSHA256 must be 64 lower-case hex digits.")) {
            try await export.sign(ExportSignatureRequest(manifestSHA256: text), caller: caller)
        }
        let digest = String(repeating: "0a", count: 32)
        let signature = try await export.sign(ExportSignatureRequest(manifestSHA256: digest), caller: caller).signature
        #expect(signature.utf8.count == (try await export.files(caller).signatureSize))
        let payload = try #require(Base64URL.decode(signature.split(separator: ".")[1]))
        let members = try #require(try JSONSerialization.jsonObject(with: payload) as? [String: Any])
        #expect(members["assembled_by"] as? String == "device" && members["manifest_sha256"] as? String == digest)
    }
}
