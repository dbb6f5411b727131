#if canImport(Darwin)
    import PhotoSync

    extension BackgroundBackup {
        /// Creates the backup whose uploads a background session of the system continues.
        /// - Parameters:
        ///   - library: The library of the signed-in account.
        ///   - preferences: The preferences that it obeys.
        ///   - sessionID: The identifier of the system's session, the same one at each launch. Only one process may use it:
        ///     an extension needs its own.
        ///   - isDiscretionary: Whether the system may wait for power and a good network. It does so in any case for
        ///     uploads that are handed over while the app is in the background.
        ///   - qualities: The values of `uploadQuality` that the sources of the runs implement.
        public init(
            library: PhotolalaLibrary, preferences: PhotolalaPreferences, sessionID: String,
            isDiscretionary: Bool = true, qualities: Set<String> = [originalQuality]
        ) {
            let inbox = BackgroundInbox()
            self.init(
                library: library, preferences: preferences,
                transfer: SessionTransfer(
                    identifier: sessionID, isDiscretionary: isDiscretionary, inbox: inbox),
                inbox: inbox, qualities: qualities)
        }

        /// Continues after the system has relaunched the app for its uploads: call it in
        /// `application(_:handleEventsForBackgroundURLSession:completionHandler:)`.
        /// - Parameters:
        ///   - identifier: The identifier of the session that the system names.
        ///   - completion: Called after the uploaded photos were added to the library and further ones handed over.
        /// - Returns: `false` if the session is another one; `completion` is not called then.
        @discardableResult
        public nonisolated func handleEvents(
            ofSession identifier: String, completion: @escaping @MainActor () -> Void
        ) -> Bool {
            guard let transfer = transfer as? SessionTransfer else { return false }
            return transfer.handleEvents(of: identifier) {
                Task {
                    _ = try? await self.resume()
                    await completion()
                }
            }
        }
    }
#endif
