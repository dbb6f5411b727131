import ForeignExports
import Foundation
import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import Testing

@testable import PhotoSync
@testable import PhotolalaClient

@Suite struct FailureCauseTests {
    @Test("a full device, a full store and an exceeded quota are different causes")
    func full() {
        let stops = [TransferStop.folder(.outOfSpace), .storeFull, .overQuota].map { PhotolalaError($0) }
        #expect(stops.map(\.code) == [.outOfSpace, .outOfSpace, .quotaExceeded])
        #expect(stops.map(\.cause?.code) == [.deviceFull, .photoStoreFull, nil])
        let folder = PhotolalaError(BackupError.folder(.outOfSpace), folder: nil)
        #expect(folder.code == .outOfSpace && folder.cause?.code == .deviceFull)
    }

    @Test("a stop has the cause of its error, which its JSON has and an older one lacks")
    func stop() throws {
        let stop = TransferStopReason(PhotolalaError(TransferStop.folder(.denied)))
        #expect(stop.code == .folderUnusable && stop.cause == FailureCause(.permissionDenied))
        let json = try WireJSON.encoder().encode(stop)
        #expect(try WireJSON.decoder().decode(TransferStopReason.self, from: json) == stop)
        let older = Data(#"{"code":"folder_unusable","detail":"Stopped."}"#.utf8)
        #expect(try WireJSON.decoder().decode(TransferStopReason.self, from: older).cause == nil)
    }

    @Test("an unexpected error of an export or import is an internal error")
    func unexpected() {
        struct Unexpected: Error {}
        let file = URL(filePath: "/a.zip")
        #expect(PhotolalaError(exporting: Unexpected(), to: file).code == .internalError)
        #expect(PhotolalaError(importing: Unexpected(), from: file).code == .internalError)
    }

    @Test("an error of the platform has its domain, its number and its own description")
    func platform() {
        let error = NSError(domain: "SKErrorDomain", code: 3, userInfo: [NSLocalizedDescriptionKey: "Nicht erlaubt."])
        let parameters = ["domain": "SKErrorDomain", "number": "3", "message": "Nicht erlaubt."]
        #expect(FailureCause(platform: error) == FailureCause(.platformError, parameters))
        let source = PhotoSourceError.platform(domain: error.domain, number: 3, message: error.localizedDescription)
        #expect(FailureCause(SourceError(source).failure) == FailureCause(.platformError, parameters))
        #expect(PhotoSourceError(SourceError(source)) == source)
    }

    @Test("errors of an Immich server have a cause with its values")
    func immich() {
        let errors: [ImmichError] = [
            .redirected(to: "https://b"), .permissionMissing("asset.read"), .versionNotSupported("1.9.0"),
            .serverFailed(status: 502), .malformed(request: "/albums"), .keyRefused, .notImmich, .noAnswer,
            .unreachable(address: "https://b", reason: "refused"),
        ]
        let causes = errors.map { PhotolalaError($0).cause }
        #expect(
            causes == [
                FailureCause(.redirected, ["location": "https://b"]),
                FailureCause(.permissionMissing, ["permission": "asset.read"]),
                FailureCause(.unsupportedVersion, ["version": "1.9.0"]),
                FailureCause(.serviceFailed, ["status": "502"]),
                FailureCause(.unexpectedAnswer, ["request": "/albums"]), FailureCause(.keyRefused),
                FailureCause(.wrongService), FailureCause(.serviceUnavailable),
                FailureCause(.serviceUnavailable, ["address": "https://b", "message": "refused"]),
            ])
    }

    @Test("errors of the catalog have a cause")
    func catalog() {
        let digest = ContentDigest(of: ByteBuffer(string: "a"))
        let errors: [CatalogError] = [
            .malformedPointer, .snapshotMissing(digest), .unknownColumns(["x"]), .full, .contended, .purging,
            .notRecorded,
        ]
        let codes = errors.map { PhotolalaError($0).cause?.code }
        #expect(Set(codes).count == errors.count && !codes.contains(nil))
        #expect(PhotolalaError(CatalogError.store(.outOfSpace)).cause?.code == .photoStoreFull)
        #expect(PhotolalaError(CatalogError.malformedPointer).cause?.parameters == ["file": ".photolala.md5"])
    }

    @Test("errors of the secrets' files name the file and the system's reason")
    func secrets() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "cause-\(UUID().uuidString)")
        try Data().write(to: folder)
        defer { try? FileManager.default.removeItem(at: folder) }
        let error = #expect(throws: SecretStorageError.self) { try FileSecretStorage(folder: folder) }
        #expect(error?.cause == FailureCause(.wrongFileType, ["path": folder.path]))
        let inside = folder.appending(path: "x")
        let nested = #expect(throws: SecretStorageError.self) { try FileSecretStorage(folder: inside) }
        #expect(nested?.cause == FailureCause(.wrongFileType, ["path": inside.path]))
    }
}
