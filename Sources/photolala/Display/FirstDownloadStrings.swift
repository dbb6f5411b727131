import PhotolalaClient

/// Texts about the first download to a synced folder.
enum FirstDownloadStrings {
    /// Returns whether a download needs confirmation: more than 1,000 files or 1 GB, or more than fits on the disk.
    static func isLarge(_ download: FirstDownload) -> Bool {
        download.files > 1000 || download.bytes > 1_000_000_000 || exceedsDisk(download)
    }

    static func summary(_ download: FirstDownload, to folder: String) -> String {
        let files = "\(Counted.files(download.files)) (\(ByteText.text(download.bytes)))"
        let free = download.freeBytes.map {
            " \(ByteText.text($0)) free\(exceedsDisk(download) ? ", not enough." : ".")"
        }
        return "First sync of \(Terminal.sanitized(folder)): \(files) to download.\(free ?? "")"
    }

    private static func exceedsDisk(_ download: FirstDownload) -> Bool {
        download.freeBytes.map { download.bytes > $0 } ?? false
    }
}
