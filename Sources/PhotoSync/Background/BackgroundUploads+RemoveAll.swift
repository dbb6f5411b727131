extension BackgroundUploads {
    /// Cancels the uploads of all users and removes their copies.
    /// - Throws: `exists` while a queue is open.
    package static func removeAll(
        in stateFolder: String, transfer: any BackgroundTransfer
    ) async throws(FileError) {
        let queues = try await FileWork.run { () throws(FileError) in try openQueues(in: stateFolder) }
        let running = await transfer.running().filter { task in
            queues.contains { task.name.hasPrefix("\($0.user)/") }
        }
        await transfer.cancel(Set(running.map(\.id)))
        try await FileWork.runUncancelled { () throws(FileError) in
            for (_, queue) in queues {
                try queue.remove(Array(queue.uploads.keys))
                queue.close()
            }
        }
    }

    private static func openQueues(in stateFolder: String) throws(FileError) -> [(user: String, queue: UploadQueue)] {
        let names: [[UInt8]]
        do throws(FileError) { names = try FolderListing.names(of: stateFolder) } catch {
            guard error == .missing else { throw error }
            return []
        }
        var queues: [(user: String, queue: UploadQueue)] = []
        for text in names.compactMap({ LocalName.text(of: $0) }) where text.hasPrefix(folderPrefix) {
            queues.append((String(text.dropFirst(folderPrefix.count)), try UploadQueue("\(stateFolder)/\(text)")))
        }
        return queues
    }
}
