import SwiftUI
import UIKit
import Vision
import VisionKit

/// The camera, until it sees a QR code.
struct CodeScanner: UIViewControllerRepresentable {
    let found: @MainActor (String) -> Void

    /// Whether the phone can scan, and the person allows the camera.
    static var isAvailable: Bool { DataScannerViewController.isSupported && DataScannerViewController.isAvailable }

    func makeUIViewController(context: Context) -> DataScannerViewController {
        let scanner = DataScannerViewController(recognizedDataTypes: [.barcode(symbologies: [.qr])])
        scanner.delegate = context.coordinator
        return scanner
    }

    func updateUIViewController(_ scanner: DataScannerViewController, context: Context) {
        try? scanner.startScanning()
    }

    func makeCoordinator() -> Delegate { Delegate(found: found) }

    /// Passes on the first code.
    @MainActor
    final class Delegate: NSObject, DataScannerViewControllerDelegate {
        private let found: @MainActor (String) -> Void

        init(found: @escaping @MainActor (String) -> Void) { self.found = found }

        func dataScanner(
            _ scanner: DataScannerViewController, didAdd items: [RecognizedItem], allItems: [RecognizedItem]
        ) {
            for case .barcode(let code) in items {
                guard let text = code.payloadStringValue else { continue }
                scanner.stopScanning()
                found(text)
                return
            }
        }
    }
}
