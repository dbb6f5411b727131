import ArgumentParser
import Foundation
import PhotolalaClient
import Testing

@testable import photolala

@Suite("Transfer options") struct TransferOptionsTests {
    @Test("a rate is a size, or a list of times with sizes or off")
    func bandwidth() throws {
        #expect(BandwidthOption(argument: "1.5MB")?.schedule == (try BandwidthSchedule(bytesPerSecond: 1_500_000)))
        #expect(
            BandwidthOption(argument: "08:00,512kB 23:30,off")?.schedule
                == (try BandwidthSchedule([
                    .init(minute: 480, bytesPerSecond: 512_000), .init(minute: 1410, bytesPerSecond: nil),
                ])))
        let wrong = [
            "", "fast", "1kB", "08:00", "8:00,1MB", "24:00,1MB", "08:60,1MB", "08:00,1MB,2MB", "1MB 2MB",
            "08:00,1MB off",
            "08:00,1MB 08:00,2MB", "-1MB",
        ]
        for text in wrong { #expect(BandwidthOption(argument: text) == nil, "\(text)") }
        #expect(try TransferOptions.parse(["--bwlimit", "2MB"]).bandwidth == BandwidthOption(argument: "2MB"))
        #expect(throws: (any Error).self) { try TransferOptions.parse(["--bwlimit", "39kB"]) }
    }

    @Test("the number of files is limited")
    func parallel() throws {
        #expect(try FileTransferOptions.parse(["--parallel", "32", "-v"]).parallel == 32)
        for text in ["0", "33", "-1"] {
            #expect(throws: (any Error).self) { try FileTransferOptions.parse(["--parallel", text]) }
        }
    }

    @Test("the progress line fits into the terminal, with the end of the file's path if there is room")
    func columns() {
        #expect(ColumnText.line("1/2 files", file: "2024/IMG_0001.JPG", columns: 80) == "1/2 files  2024/IMG_0001.JPG")
        #expect(
            ColumnText.line("1/2 files", file: "Holidays in Iceland/IMG_0001.JPG", columns: 30)
                == "1/2 files  …land/IMG_0001.JPG")
        #expect(ColumnText.line("1/2 files", file: "Holidays/IMG_0001.JPG", columns: 20) == "1/2 files")
        #expect(ColumnText.line("1/2 files", file: nil, columns: 6) == "1/2 f")
        for columns in 1...60 {
            let line = ColumnText.line("進行中 12/100 files", file: "旅行/アイスランド/e\u{301}te\u{301}.jpg", columns: columns)
            #expect(ColumnText.width(line) < max(columns, 1) || line.isEmpty, "\(columns)")
        }
    }

    @Test("each line of a dry run starts with what would be done")
    func planned() throws {
        let json =
            #"[{"path": "a.jpg", "action": "upload", "size": 2000}, {"path": "b\u001b.jpg", "action": "trashHere"}]"#
        let files = try JSONDecoder().decode([PlannedFile].self, from: Data(json.utf8))
        #expect(
            files.map { FileLine($0).text }
                == ["upload            a.jpg  (2 kB)", "trash here        b\u{FFFD}.jpg"])
    }
}
