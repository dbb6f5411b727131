import Foundation
import Transport
import UseCases

extension SettingsReader {
    /// Returns what the pages show of the operator.
    mutating func brand() -> ServiceBrand {
        ServiceBrand(
            name: brandName(), logo: brandLogo(), accent: brandAccent(),
            termsURL: pageURL(.brandTermsURL, schemes: ["https"]),
            privacyURL: pageURL(.brandPrivacyURL, schemes: ["https"]),
            supportURL: pageURL(.brandSupportURL, schemes: ["https", "mailto"]),
            plansURL: pageURL(.brandPlansURL, schemes: ["https"]),
            securityURL: pageURL(.brandSecurityURL, schemes: ["https", "mailto"]))
    }

    private mutating func brandName() -> String {
        guard let name = text(.brandName) else { return ServiceBrand.standardName }
        let isPrintable =
            name.unicodeScalars.allSatisfy { !$0.properties.isWhitespace || $0 == " " }
            && !name.unicodeScalars.contains { [.control, .format].contains($0.properties.generalCategory) }
        if !isPrintable || name.count > ServiceBrand.longestName || name.hasPrefix(" ") || name.hasSuffix(" ") {
            report("brand.name: must be 1 to \(ServiceBrand.longestName) printable characters")
        }
        return name
    }

    private mutating func brandLogo() -> BrandLogo? {
        guard let path = text(.brandLogo) else { return nil }
        let bytes: [UInt8]
        do throws(NamedFile.Problem) {
            bytes = try NamedFile.bytes(of: path, as: .regular, limit: BrandLogo.maximumSize)
        } catch {
            report("brand.logo: cannot read \(path): \(error)")
            return nil
        }
        if let logo = BrandLogo(bytes) { return logo }
        let (pixels, size) = (BrandLogo.pixels, BrandLogo.maximumSize >> 10)
        report(
            "brand.logo: must be an SVG, or a square PNG of \(pixels.lowerBound) to \(pixels.upperBound) pixels, of at "
                + "most \(size) KiB")
        return nil
    }

    private mutating func brandAccent() -> AccentColor? {
        guard let text = text(.brandAccent) else { return nil }
        guard let color = AccentColor(text) else {
            report("brand.accent: must be a color like #0b57d0, not \"\(text)\"")
            return nil
        }
        guard color.contrastWithWhite >= AccentColor.minimumContrast else {
            let ratio = (color.contrastWithWhite * 10).rounded(.down) / 10
            report("brand.accent: must have a contrast of 4.5 or more with white text, and \(text) has \(ratio)")
            return nil
        }
        return color
    }

    private mutating func pageURL(_ name: SettingName, schemes: [String]) -> String? {
        guard let text = text(name) else { return nil }
        let url = URL(string: text)
        let scheme = url?.scheme?.lowercased() ?? ""
        let isPrintable = text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
        guard isPrintable, schemes.contains(scheme), scheme == "mailto" ? text.utf8.count > 7 : url?.host != nil else {
            report("\(name.rawValue): must be an \(schemes.joined(separator: " or ")) URL, not \"\(text)\"")
            return nil
        }
        return text
    }
}
