import Foundation
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import Testing

@testable import PhotoSync
@testable import PhotolalaClient

@Suite("Reasons of failed files") struct FailureCodeTests {
    @Test("each failure has a code of its own, in snake case, and a text")
    func codes() {
        let files: [FileError] = [
            .missing, .denied, .exists, .wrongKind, .nameTooLong, .outOfSpace, .unsupported, .unusableIgnoreFile,
            .cancelled, .system(5), .readOnly, .inUse,
        ]
        let stores: [ObjectStoreError] = [
            .conflict, .unavailable(""), .archived, .outcomeUnknown(""), .denied(""), .outOfSpace, .quotaExceeded,
            .tooLarge(limit: 1), .rangeNotSatisfiable(size: 1), .bodyFailed(""), .digestMismatch, .corrupted(""),
        ]
        let leftOut: [LeftOutFile.Reason] = [
            .noPhotoOrVideo, .ignored, .unknownFormat, .empty, .withoutPhoto, .link, .deleted, .special,
        ]
        let failures = files.map(\.failure) + stores.map(\.failure) + leftOut.map(\.failure)
        #expect(Set(failures.map(\.code)).count == failures.count)
        for failure in failures {
            #expect(failure.code.rawValue.wholeMatch(of: /[a-z]+(_[a-z]+)*/) != nil && !failure.text.isEmpty)
        }
        #expect(BackupFailure.file(.denied).failure == FileError.denied.failure)
        #expect(RestoreFailure.store(.corrupted("")).failure.code == RestoreFailure.contentMismatch.failure.code)
        #expect(FileError.malformedIgnoreFile(line: 7).failure.parameters == ["line": "7"])
    }

    @Test("the JSON has the code, and one without is still read")
    func json() throws {
        let failure = FileFailure("a.jpg", FileError.denied.failure)
        let text = String(decoding: try WireJSON.encoder().encode(failure), as: UTF8.self)
        #expect(text.contains("\"permission_denied\"") && !text.contains("parameters"))
        #expect(try WireJSON.decoder().decode(FileFailure.self, from: Data(text.utf8)) == failure)
        let old = try WireJSON.decoder().decode(FileFailure.self, from: Data(#"{"path":"a","reason":"b"}"#.utf8))
        #expect(old.code == .other && old.reason == "b" && old.parameters == nil)
    }
}
