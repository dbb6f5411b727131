#if canImport(Darwin)
    import Foundation
    import PhotoSync
    import Synchronization

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    /// Uploads files with a background session of the system, which continues while the app does not run and relaunches
    /// it when all uploads have ended.
    final class SessionTransfer: NSObject, BackgroundTransfer, URLSessionTaskDelegate {
        /// How often `cancel` looks for tasks that still send; a second in all.
        private static let attemptsToCancel = 50

        private let inbox: BackgroundInbox
        private let identifier: String
        private let session = Mutex<URLSession?>(nil)
        /// Called once the system has delivered all events of a relaunch.
        private let completion = Mutex<(@Sendable () -> Void)?>(nil)

        /// - Parameters:
        ///   - identifier: The identifier of the system's session; the same one at each launch of the app.
        ///   - isDiscretionary: Whether the system may wait for power and a good network.
        ///   - inbox: Receives the ends of uploads, also of those that an earlier process started.
        init(
            identifier: String, isDiscretionary: Bool, inbox: BackgroundInbox
        ) {
            (self.identifier, self.inbox) = (identifier, inbox)
            super.init()
            let configuration = URLSessionConfiguration.background(withIdentifier: identifier)
            configuration.isDiscretionary = isDiscretionary
            configuration.sessionSendsLaunchEvents = true
            // The system tries again for as long as an address can last.
            configuration.timeoutIntervalForResource = 604_800
            let opened = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
            session.withLock { $0 = opened }
        }

        /// Accepts the events of a relaunch for this session.
        /// - Returns: `false` if they are those of another session.
        func handleEvents(of identifier: String, completion handler: @escaping @Sendable () -> Void) -> Bool {
            guard identifier == self.identifier else { return false }
            completion.withLock { $0 = handler }
            return true
        }

        func start(_ upload: BackgroundUpload) async throws(BackgroundTransferError) -> Int {
            guard let url = URL(string: upload.address.url), let session = session.withLock({ $0 }) else {
                throw BackgroundTransferError(detail: "the address is not usable")
            }
            var request = URLRequest(url: url)
            request.httpMethod = "PUT"
            // The system sends the length of the file.
            for (name, value) in upload.address.headers where name != "content-length" {
                request.setValue(value, forHTTPHeaderField: name)
            }
            request.allowsCellularAccess = upload.networks == .all
            request.allowsExpensiveNetworkAccess = upload.networks == .all
            request.allowsConstrainedNetworkAccess = false
            let task = session.uploadTask(with: request, fromFile: URL(fileURLWithPath: upload.file))
            task.taskDescription = upload.name
            task.countOfBytesClientExpectsToReceive = 1 << 10
            task.resume()
            return task.taskIdentifier
        }

        func running() async -> [BackgroundTask] {
            guard let session = session.withLock({ $0 }) else { return [] }
            return await session.allTasks.filter { $0.state != .completed }.map { Self.task($0) }
        }

        func cancel(_ tasks: Set<Int>) async {
            guard !tasks.isEmpty, let session = session.withLock({ $0 }) else { return }
            for attempt in 0..<Self.attemptsToCancel {
                let open = await session.allTasks.filter {
                    tasks.contains($0.taskIdentifier) && $0.state != .completed
                }
                guard !open.isEmpty else { return }
                if attempt == 0 { for task in open { task.cancel() } }
                try? await Task.sleep(for: .milliseconds(20))
            }
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            let status = (task.response as? HTTPURLResponse)?.statusCode
            inbox.post(BackgroundTaskEnd(Self.task(task), isStored: error == nil && status == 200))
        }

        func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
            let handler = completion.withLock { handler in
                defer { handler = nil }
                return handler
            }
            handler?()
        }

        private static func task(_ task: URLSessionTask) -> BackgroundTask {
            BackgroundTask(
                id: task.taskIdentifier, name: task.taskDescription ?? "", hasBegun: task.countOfBytesSent > 0)
        }
    }
#endif
