import SwiftUI

/// Scans the server's QR code, or takes its text.
struct PairingView: View {
    let pairing: Pairing
    @State private var code = ""
    @State private var isScanning = false
    @State private var isRefused = false

    var body: some View {
        List {
            Section { Text("Run “photolala-server serve --environment dev --pair” on your computer.") }
            if let failure = pairing.failure { Section { Text(failure) } }
            if CodeScanner.isSupported {
                Section {
                    Button("Scan the code") { scan() }
                    if isRefused { Text("Allow the camera in Settings, or paste the code.") }
                }
            }
            Section("Or paste the line below the code") {
                TextField("photolala-pair://…", text: $code)
                Button("Pair") { pairing.pair(with: code) }
            }
        }
        .navigationTitle("Pair")
        .sheet(isPresented: $isScanning) {
            CodeScanner { text in
                isScanning = false
                pairing.pair(with: text)
            }
        }
    }

    private func scan() {
        Task {
            isScanning = await CodeScanner.requestAccess()
            isRefused = !isScanning
        }
    }
}
