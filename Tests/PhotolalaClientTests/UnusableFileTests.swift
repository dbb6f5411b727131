import Foundation
import PhotoSync
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import PhotolalaClient

/// Errors of files and folders of this device, other than those of photos.
@Suite struct UnusableFileTests {
    @Test(arguments: [(FileError.outOfSpace, ErrorCode.outOfSpace), (.denied, .localStorageFailed)])
    func `an error of the state of this device names its path and not the photo folder`(
        error: FileError, code: ErrorCode
    ) {
        let errors = [
            PhotolalaError(BackupError.state(error, path: "/p/library"), folder: URL(fileURLWithPath: "/photos")),
            PhotolalaError(SyncError.state(error, path: "/p/library"), folder: URL(fileURLWithPath: "/photos")),
            PhotolalaError(TransferStop.state(error, path: "/p/library")),
        ]
        for found in errors {
            #expect(found.code == code && found.cause == FailureCause(error))
            #expect(found.detail.hasSuffix("Cannot use the state of this device, /p/library: \(error.message)."))
        }
    }

    @Test func `an import of what is no file says what it is`() throws {
        let folder = try TemporaryFolder()
        try folder.write("file", [1])
        try #require(mkfifo(folder.subpath("pipe"), 0o600) == 0)
        for (link, target) in [("link", "file"), ("dangling", "nowhere")] {
            try FileManager.default.createSymbolicLink(atPath: folder.subpath(link), withDestinationPath: target)
        }
        let reasons = [
            ("pipe", "device, pipe or socket", FailureCode.specialFile),
            ("dangling", "no such file or folder", .fileMissing),
            ("link", "symbolic link, not followed", .symbolicLink),
        ]
        for (name, reason, code) in reasons {
            let path = folder.subpath(name)
            let error = PhotolalaError(
                importing: LibraryImportError.file(.wrongKind), from: URL(fileURLWithPath: path))
            #expect(error.code == .fileUnusable && error.cause?.code == code)
            #expect(error.detail == "Cannot read \(path): \(reason).")
        }
        let other = PhotolalaError(
            importing: LibraryImportError.file(.wrongKind), from: URL(fileURLWithPath: folder.path))
        #expect(other.cause?.code == .notAnExport)
    }
}
