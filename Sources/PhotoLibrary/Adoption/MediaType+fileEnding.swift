extension MediaType {
    /// What nothing is known of.
    static let unknown = MediaType(known: "application/octet-stream")

    /// How names of files of this kind end, without the point.
    var fileEnding: String {
        switch self {
        case .jpeg: "jpg"
        case .jpegXL: "jxl"
        case .canonCR2: "cr2"
        case .canonCR3: "cr3"
        case .nikonNEF: "nef"
        case .sonyARW: "arw"
        case .adobeDNG: "dng"
        case .pentaxPEF: "pef"
        case .samsungSRW: "srw"
        case .fujiRAF: "raf"
        case .olympusORF: "orf"
        case .panasonicRW2: "rw2"
        case .sigmaX3F: "x3f"
        case .quickTime: "mov"
        case .mobile3GPP: "3gp"
        case .avi: "avi"
        case .matroska: "mkv"
        case .mpegTransport: "mts"
        case .mpegProgram: "mpg"
        case .png, .gif, .webp, .heic, .heif, .avif, .tiff, .mp4, .webm:
            description.split(separator: "/").last.map(String.init) ?? "dat"
        default: "dat"
        }
    }
}
