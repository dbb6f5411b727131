/// The type of a photo, video or sidecar, as its IANA or customary media type.
///
/// The set is open, because a catalog may contain types that only a newer version knows.
package struct MediaType: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    init(known: String) { description = known }

    /// Returns `nil` for anything but `type/subtype` in the characters of RFC 6838 section 4.2, at most 127 bytes.
    package init?(_ text: some StringProtocol) {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let legal = parts.allSatisfy { part in
            !part.isEmpty
                && part.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                        UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "_"):
                        true
                    default: false
                    }
                }
        }
        guard parts.count == 2, legal, text.utf8.count <= 127 else { return nil }
        description = String(text)
    }

    package var isVideo: Bool { description.utf8.starts(with: "video/".utf8) }
}

extension MediaType {
    /// The type of a resource that was not read yet and whose name does not indicate one.
    package static let unread = MediaType(known: "application/octet-stream")
    package static let jpeg = MediaType(known: "image/jpeg")
    package static let png = MediaType(known: "image/png")
    package static let gif = MediaType(known: "image/gif")
    package static let webp = MediaType(known: "image/webp")
    package static let heic = MediaType(known: "image/heic")
    package static let heif = MediaType(known: "image/heif")
    package static let avif = MediaType(known: "image/avif")
    package static let jpegXL = MediaType(known: "image/jxl")
    package static let tiff = MediaType(known: "image/tiff")
    package static let canonCR2 = MediaType(known: "image/x-canon-cr2")
    package static let canonCR3 = MediaType(known: "image/x-canon-cr3")
    package static let nikonNEF = MediaType(known: "image/x-nikon-nef")
    package static let sonyARW = MediaType(known: "image/x-sony-arw")
    package static let adobeDNG = MediaType(known: "image/x-adobe-dng")
    package static let pentaxPEF = MediaType(known: "image/x-pentax-pef")
    package static let samsungSRW = MediaType(known: "image/x-samsung-srw")
    package static let fujiRAF = MediaType(known: "image/x-fuji-raf")
    package static let olympusORF = MediaType(known: "image/x-olympus-orf")
    package static let panasonicRW2 = MediaType(known: "image/x-panasonic-rw2")
    package static let sigmaX3F = MediaType(known: "image/x-sigma-x3f")
    package static let canonCRW = MediaType(known: "image/x-canon-crw")
    package static let minoltaMRW = MediaType(known: "image/x-minolta-mrw")
    package static let phaseOneIIQ = MediaType(known: "image/x-phaseone-iiq")
    package static let hasselblad3FR = MediaType(known: "image/x-hasselblad-3fr")
    package static let hasselbladFFF = MediaType(known: "image/x-hasselblad-fff")
    package static let epsonERF = MediaType(known: "image/x-epson-erf")
    package static let kodakKDC = MediaType(known: "image/x-kodak-kdc")
    package static let kodakDCR = MediaType(known: "image/x-kodak-dcr")
    package static let kodakK25 = MediaType(known: "image/x-kodak-k25")
    package static let mamiyaMEF = MediaType(known: "image/x-mamiya-mef")
    package static let leafMOS = MediaType(known: "image/x-leaf-mos")
    package static let sonySRF = MediaType(known: "image/x-sony-srf")
    package static let goProGPR = MediaType(known: "image/x-gopro-gpr")
    package static let bitmap = MediaType(known: "image/bmp")
    package static let jpeg2000 = MediaType(known: "image/jp2")
    package static let jpeg2000Extended = MediaType(known: "image/jpx")
    package static let jpeg2000Compound = MediaType(known: "image/jpm")
    package static let jpeg2000Codestream = MediaType(known: "image/j2c")
    package static let jpegXR = MediaType(known: "image/vnd.ms-photo")
    package static let photoshop = MediaType(known: "image/vnd.adobe.photoshop")
    package static let photoshopLarge = MediaType(known: "image/x-adobe-psb")
    package static let gimp = MediaType(known: "image/x-xcf")
    package static let openEXR = MediaType(known: "image/x-exr")
    package static let radiance = MediaType(known: "image/vnd.radiance")
    package static let quickTime = MediaType(known: "video/quicktime")
    package static let mp4 = MediaType(known: "video/mp4")
    package static let mobile3GPP = MediaType(known: "video/3gpp")
    package static let avi = MediaType(known: "video/x-msvideo")
    package static let webm = MediaType(known: "video/webm")
    package static let matroska = MediaType(known: "video/x-matroska")
    package static let mpegTransport = MediaType(known: "video/mp2t")
    package static let mpegProgram = MediaType(known: "video/mpeg")
    package static let windowsMedia = MediaType(known: "video/x-ms-wmv")
    package static let flash = MediaType(known: "video/x-flv")
    package static let ogg = MediaType(known: "video/ogg")
    package static let motionJPEG2000 = MediaType(known: "video/mj2")
    package static let digitalVideo = MediaType(known: "video/x-dv")
    package static let materialExchange = MediaType(known: "video/x-mxf")

    // Sidecars
    package static let xmp = MediaType(known: "application/rdf+xml")
    package static let appleEdits = MediaType(known: "application/x-apple-aae")
    package static let takeoutDescription = MediaType(known: "application/json")

    /// Whether it is the type of a sidecar.
    package var isSidecar: Bool { self == .xmp || self == .appleEdits || self == .takeoutDescription }

    /// Whether it is a RAW format: unprocessed sensor data.
    package var isRAW: Bool {
        let kinds: [MediaType] = [
            .canonCR2, .canonCR3, .nikonNEF, .sonyARW, .adobeDNG, .pentaxPEF, .samsungSRW, .fujiRAF, .olympusORF,
            .panasonicRW2, .sigmaX3F, .canonCRW, .minoltaMRW,
        ]
        return kinds.contains(self) || Self.otherTIFFBasedRAW.contains(self)
    }

    /// RAW formats of digital backs and rare cameras.
    private static let otherTIFFBasedRAW: Set<MediaType> = [
        .phaseOneIIQ, .hasselblad3FR, .hasselbladFFF, .epsonERF, .kodakKDC, .kodakDCR, .kodakK25, .mamiyaMEF, .leafMOS,
        .sonySRF, .goProGPR,
    ]

    /// Whether the file is a TIFF structure, so that its EXIF can be read like TIFF.
    package var isTIFFBased: Bool {
        let kinds: [MediaType] = [
            .tiff, .canonCR2, .nikonNEF, .sonyARW, .adobeDNG, .pentaxPEF, .samsungSRW, .olympusORF, .panasonicRW2,
        ]
        return kinds.contains(self) || Self.otherTIFFBasedRAW.contains(self)
    }
}
