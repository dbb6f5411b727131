import PhotolalaClient

/// A line about one file of a transfer.
struct FileLine {
    let text: String

    /// Returns `nil` for a file with which nothing was done.
    init?(_ file: FileEvent) {
        let path = Terminal.sanitized(file.path)
        switch file.outcome {
        case .uploaded: text = "uploaded    \(path)"
        case .downloaded: text = "downloaded  \(path)"
        case .failed(let failure): text = "failed      \(path): \(Terminal.sanitized(failure.reason))"
        case .alreadyStored, .alreadyThere: return nil
        }
    }

    /// The line of a dry run.
    init(_ file: PlannedFile) {
        let action =
            switch file.action {
            case .upload: "upload"
            case .add: "add"
            case .download: "download"
            case .move: "move"
            case .moveInLibrary: "move in library"
            case .trashInLibrary: "trash in library"
            case .trashHere: "trash here"
            }
        let size = file.size.map { "  (\(ByteText.text($0)))" } ?? ""
        text = "\(action.padding(to: 18))\(Terminal.sanitized(file.path))\(size)"
    }
}

extension String {
    fileprivate func padding(to count: Int) -> String {
        self + String(repeating: " ", count: max(0, count - self.count))
    }
}
