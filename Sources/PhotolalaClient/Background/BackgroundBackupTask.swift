#if canImport(BackgroundTasks) && os(iOS)
    import BackgroundTasks
    import Foundation
    import PhotolalaAPI

    /// A task in which the system lets the app look for new photos, usually at night.
    ///
    /// ```swift
    /// let task = BackgroundBackupTask(identifier: "com.example.app.backup")
    /// task.register { (try? await backup.run(PhotoKitSource())) != nil }
    /// try task.schedule()
    /// ```
    ///
    /// The identifier must be in `BGTaskSchedulerPermittedIdentifiers` of the app's `Info.plist`, and `processing` in its
    /// `UIBackgroundModes`.
    public struct BackgroundBackupTask: Sendable {
        /// The identifier of the task.
        public let identifier: String

        /// Creates the task, without registering it.
        public init(identifier: String) { self.identifier = identifier }

        /// Registers the task. Call it once, before the app has finished launching.
        /// - Parameter run: Looks for new photos; cancelled if the system ends the task. Returns whether it succeeded.
        /// - Returns: `false` if the app may not have a task of this identifier.
        @discardableResult
        public func register(_ run: @escaping @Sendable () async -> Bool) -> Bool {
            BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: nil) { task in
                // If it cannot be scheduled now, the next launch of the app does it.
                try? schedule()
                let work = Task { await run() }
                task.expirationHandler = { work.cancel() }
                // The system's object may be used by any thread.
                nonisolated(unsafe) let task = task
                Task { task.setTaskCompleted(success: await work.value) }
            }
        }

        /// Asks the system to start the task once, with a network. Replaces an earlier request.
        /// - Parameters:
        ///   - date: The earliest time; by default, as soon as the system sees fit.
        ///   - requiresPower: Whether the device must be charging.
        /// - Throws: `temporarilyUnavailable` if the system does not accept it, for instance because the user has turned
        ///   background refresh off.
        public func schedule(after date: Date? = nil, requiresPower: Bool = true) throws(PhotolalaError) {
            let request = BGProcessingTaskRequest(identifier: identifier)
            request.requiresNetworkConnectivity = true
            request.requiresExternalPower = requiresPower
            request.earliestBeginDate = date
            do {
                try BGTaskScheduler.shared.submit(request)
            } catch {
                throw PhotolalaError(
                    code: .temporarilyUnavailable,
                    detail: "The system accepted no background task: \(error.localizedDescription)",
                    cause: FailureCause(platform: error))
            }
        }
    }
#endif
