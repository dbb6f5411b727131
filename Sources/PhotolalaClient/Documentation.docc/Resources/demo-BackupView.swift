import SwiftUI

/// The progress of the backup, and the button that starts it.
struct BackupView: View {
    let backup: BackupModel

    var body: some View {
        List {
            if let progress = backup.progress {
                ProgressView(value: Double(progress.finishedFiles), total: Double(max(progress.totalFiles, 1)))
                Text("\(progress.finishedFiles) of \(progress.totalFiles) files")
                if !progress.downloading.isEmpty { Text("Downloading from iCloud: \(progress.downloading.count)") }
                Button("Stop") { backup.stop() }
            } else {
                Text(backup.message)
                Button("Back up photos") { Task { await backup.start() } }
            }
        }
        .navigationTitle("Backup")
    }
}
