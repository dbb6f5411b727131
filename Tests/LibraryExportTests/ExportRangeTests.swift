import Foundation
import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import LibraryExport

/// Exports whose download is broken off and continued, and their layout.
@Suite struct ExportRangeTests {
    @Test("a download that is broken off at any byte continues with the same bytes")
    func everyByte() async throws {
        let fixture = try await ExportFixture.sample()
        let plan = try await fixture.plan()
        let whole = try await fixture.bytes(plan)
        #expect(Int64(whole.count) == plan.size)
        for split in stride(from: Int64(1), to: plan.size, by: 211) {
            // Nothing is known of the photos that the first download read.
            let digests = fixture.digests.forgettingDigests()
            let rest = try await fixture.bytes(plan, split..<plan.size, digests: digests)
            #expect(rest == whole[Int(split)...], "from \(split)")
        }
        for start in stride(from: Int64(0), to: plan.size - 400, by: 397) {
            let part = try await fixture.bytes(plan, start..<start + 400)
            #expect(part == whole[Int(start)..<Int(start) + 400], "from \(start)")
        }
    }

    @Test("a stored head has the same layout")
    func head() async throws {
        let fixture = try await ExportFixture.sample()
        let plan = try await fixture.plan()
        let stored = try await ExportPlan(head: plan.head)
        let (first, second) = (try await fixture.bytes(plan), try await fixture.bytes(stored))
        #expect(first == second)
        #expect(first.prefix(Int(plan.headSize)) == Data(plan.head.readableBytesView))
    }

    @Test("a head that was changed or cut off is refused")
    func damagedHead() async throws {
        let head = try await ExportFixture.sample().plan().head
        for cut in stride(from: 0, to: head.readableBytes, by: 61) {
            let part = try #require(head.getSlice(at: 0, length: cut))
            await #expect(throws: (any Error).self) { try await ExportPlan(head: part) }
            var changed = head
            changed.setInteger((head.getInteger(at: cut) ?? UInt8(0)) ^ 0x55, at: cut)
            if let read = try? await ExportPlan(head: changed) {
                // Versions, dates and modes are not covered by a checksum, and change nothing else.
                #expect(read.headSize == Int64(head.readableBytes))
            }
        }
    }

    @Test("the digests of a block of photos are stored once all are known, and not computed again")
    func digests() async throws {
        var fixture = try ExportFixture()
        for number in 0..<300 { try await fixture.add("\(number).jpg", Data("photo \(number)".utf8)) }
        let plan = try await fixture.plan()
        let whole = try await fixture.bytes(plan)
        let sizes: [Int: Int] = fixture.digests.blocks.withLock { $0.mapValues { $0.readableBytes } }
        #expect(sizes == [0: 9472, 1: 1628])
        // The end of the archive has digests only.
        for number in 0..<300 { try await fixture.store.delete(fixture.key(Data("photo \(number)".utf8)), if: .always) }
        let tail = try await fixture.bytes(plan, plan.size - 20_000..<plan.size)
        #expect(tail == whole.suffix(20_000))
    }

    @Test("positions and sizes that exceed 32 bits are readable")
    func large() async throws {
        let folder = try TemporaryFolder()
        let (sizes, file) = ([Int64(5) << 30, 1, Int64(UInt32.max), 3], URL(filePath: folder.subpath("large.zip")))
        let layout = try LargeExport(sizes: sizes)
        try await layout.writeSparse(to: file)
        let verify = folder.subpath("verify.py")
        try Data(ExportFile.verifyScript.bytes.readableBytesView).write(to: URL(filePath: verify))
        let script = """
            import importlib.util, sys, zipfile
            spec = importlib.util.spec_from_file_location("verify", sys.argv[2])
            verify = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(verify)
            with zipfile.ZipFile(sys.argv[1]) as archive:
                verify.Export(archive).layout()
                for info in archive.infolist():
                    archive.open(info).close()
                    if info.filename.startswith("photos/") and not info.filename.endswith(".json"):
                        print(info.file_size, info.header_offset)
            """
        let read = try await ChildProcess.run(python, ["-c", script, file.path, verify])
        #expect(read.status == 0, "\(read.output)")
        let lines = read.output.split(separator: "\n").map { $0.split(separator: " ").compactMap { Int64($0) } }
        #expect(lines.map { $0[0] } == sizes)
        #expect(lines[3][1] > 9 << 30)
    }

    @Test("photos whose sizes add up to more than an archive can have are refused")
    func tooLarge() throws {
        #expect(throws: ExportError.tooLarge) { try LargeExport(sizes: [Int64.max, Int64.max]) }
    }
}
