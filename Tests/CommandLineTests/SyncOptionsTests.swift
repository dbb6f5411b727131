import ArgumentParser
import PhotolalaClient
import Testing

@testable import photolala

@Suite("Options of a sync") struct SyncOptionsTests {
    @Test(
        "contradicting directions are refused",
        arguments: [
            ["--up-only", "--down-only"], ["--up-only", "--trash-here"], ["--down-only", "--trash-missing"],
        ])
    func directions(_ flags: [String]) throws {
        for flag in flags { _ = try SyncCommand.parse([flag, "Pictures"]) }
        #expect(throws: (any Error).self) { _ = try SyncCommand.parse(flags + ["Pictures"]) }
    }

    @Test("a first download is large from 1,001 files, above 1 GB, or if it does not fit")
    func firstDownload() {
        let download = FirstDownload(files: 1000, bytes: 1_000_000_000, freeBytes: 1_000_000_000)
        #expect(!FirstDownloadStrings.isLarge(download))
        for other in [
            FirstDownload(files: 1001, bytes: 1, freeBytes: nil),
            FirstDownload(files: 1, bytes: 1_000_000_001, freeBytes: .max),
            FirstDownload(files: 1, bytes: 2000, freeBytes: 1999),
        ] { #expect(FirstDownloadStrings.isLarge(other)) }
        let full = FirstDownload(files: 1, bytes: 2000, freeBytes: 1999)
        #expect(
            FirstDownloadStrings.summary(full, to: "Pictures")
                == "First sync of Pictures: 1 file (2 kB) to download. 2 kB free, not enough.")
    }
}
