import AWSServices
import Foundation
import ObjectStorage
import PhotoCatalog
import PhotoSync
import PhotolalaAPI
import Synchronization
import Transport

/// Uploads files with this process, for systems without background sessions. What it has not uploaded when the process
/// ends is handed over again by the next one.
package final class InProcessTransfer: BackgroundTransfer {
    private struct State {
        var uploads: [Int: (name: String, work: Task<Void, Never>)] = [:]
        var lastID = 0
    }

    private let upload: PresignedUpload
    private let inbox: BackgroundInbox
    private let state = Mutex(State())

    /// - Parameter inbox: Receives the end of each upload.
    package init(transport: any HTTPTransport, inbox: BackgroundInbox) {
        upload = PresignedUpload(transport: transport)
        self.inbox = inbox
    }

    package func start(_ request: BackgroundUpload) async throws(BackgroundTransferError) -> Int {
        let file = URL(fileURLWithPath: request.file)
        guard let size = request.address.headers["content-length"].flatMap({ Int64($0) }),
            let name = LibraryPath(file.lastPathComponent)
        else { throw BackgroundTransferError(detail: "the server returned no length") }
        let body = ObjectBody(
            size: size, chunks: FileChunks(of: name, in: file.deletingLastPathComponent().path))
        return state.withLock { state in
            state.lastID += 1
            let id = state.lastID
            let work = Task { [self] in
                let address = request.address
                let isStored =
                    (try? await upload.send(
                        body, to: address.url, headers: address.headers,
                        timeout: .seconds(UploadRequest.maximumDuration(of: body.size)))) != nil
                guard self.state.withLock({ $0.uploads.removeValue(forKey: id) }) != nil else { return }
                inbox.post(
                    BackgroundTaskEnd(
                        BackgroundTask(id: id, name: request.name, hasBegun: true), isStored: isStored))
            }
            state.uploads[id] = (request.name, work)
            return id
        }
    }

    package func running() async -> [BackgroundTask] {
        state.withLock { $0.uploads.map { BackgroundTask(id: $0, name: $1.name, hasBegun: true) } }
    }

    package func cancel(_ tasks: Set<Int>) async {
        let works = state.withLock { state in tasks.compactMap { state.uploads.removeValue(forKey: $0)?.work } }
        for work in works { work.cancel() }
        for work in works { await work.value }
    }

    /// Waits for the end of all uploads.
    package func finish() async {
        for (_, work) in state.withLock({ Array($0.uploads.values) }) { await work.value }
    }
}
